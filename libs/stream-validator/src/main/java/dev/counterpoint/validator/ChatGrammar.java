package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.error.ErrorBody;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A stream of Chat Completions: chunks of one completion, each choice told to its one finish reason, at the end the
/// usage where it was asked for. An error in place of a chunk ends it.
final class ChatGrammar implements EventGrammar {
    private static final List<String> CONSTANT = List.of("id", "created", "model");

    private final ValidatorOptions options;
    private final StreamViolations violations;
    private final TreeMap<Integer, ChoiceState> choices = new TreeMap<>();
    private JsonNode first = MissingNode.getInstance();
    private boolean usageTold;
    private boolean failed;

    ChatGrammar(ValidatorOptions options, StreamViolations violations) {
        this.options = options;
        this.violations = violations;
    }

    @Override
    public @Nullable String eventName(ObjectNode event) {
        return null;
    }

    @Override
    public void accept(ObjectNode chunk) {
        if (failed) {
            violations.add(ValidationRule.ENDING, "comes after an error; only [DONE] may");
            return;
        }
        if (!ValueDifference.absent(chunk.path("error"))) {
            failed = true;
            SchemaCheck.holds(chunk, ErrorBody.class, violations);
            return;
        }
        if (usageTold) {
            violations.add(ValidationRule.ENDING, "comes after the usage; only [DONE] may");
        }
        if (!SchemaCheck.holds(chunk, ChatChunk.class, violations)) {
            violations.muteRestOfEvent();
        }
        identity(chunk);
        usage(chunk);
        for (var choice : chunk.path("choices")) {
            int index = choice.path("index").asInt(-1);
            choices.computeIfAbsent(index, _ -> new ChoiceState(index, violations))
                    .accept(choice);
        }
    }

    private void identity(JsonNode chunk) {
        if (first.isMissingNode()) {
            first = chunk;
            return;
        }
        for (var member : CONSTANT) {
            if (ValueDifference.between(first.path(member), chunk.path(member)) != null) {
                violations.add(ValidationRule.IDENTITY, member + " is not the one of the first chunk");
            }
        }
    }

    private void usage(JsonNode chunk) {
        boolean hasUsage = !ValueDifference.absent(chunk.path("usage"));
        boolean hasChoices = !chunk.path("choices").isEmpty();
        if (!hasUsage && !hasChoices) {
            violations.add(ValidationRule.ORDER, "has neither choices nor usage");
        } else if (hasUsage && hasChoices) {
            violations.add(ValidationRule.ORDER, "has usage beside choices; it comes in a chunk of its own");
        } else if (hasUsage) {
            usageTold = true;
            if (Boolean.FALSE.equals(options.includeUsage())) {
                violations.add(ValidationRule.ORDER, "tells the usage, which nobody asked for");
            }
            openChoices("the usage comes before");
        }
    }

    @Override
    public void end() {
        if (failed) {
            return;
        }
        if (first.isMissingNode()) {
            violations.add(ValidationRule.ENDING, "the stream has no chunks");
        } else if (choices.isEmpty()) {
            violations.add(ValidationRule.ENDING, "no chunk has a choice");
        }
        if (!usageTold) {
            openChoices("the stream ends before");
            if (Boolean.TRUE.equals(options.includeUsage())) {
                violations.add(ValidationRule.ENDING, "the chunk with the usage is missing, which was asked for");
            }
        }
    }

    private void openChoices(String what) {
        for (var choice : choices.values()) {
            if (!choice.finished()) {
                violations.add(ValidationRule.ENDING, what + " " + choice.name() + " has its finish_reason");
            }
        }
    }
}
