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
    private final StreamViolations complaints;
    private final TreeMap<Integer, ChoiceState> choices = new TreeMap<>();
    private JsonNode first = MissingNode.getInstance();
    private boolean usageTold;
    private boolean failed;

    ChatGrammar(ValidatorOptions options, StreamViolations complaints) {
        this.options = options;
        this.complaints = complaints;
    }

    @Override
    public @Nullable String eventName(ObjectNode event) {
        return null;
    }

    @Override
    public void accept(ObjectNode chunk) {
        if (failed) {
            complaints.add(ValidationRule.ENDING, "comes after an error; only [DONE] may");
            return;
        }
        if (!ValueDifference.absent(chunk.path("error"))) {
            failed = true;
            SchemaCheck.holds(chunk, ErrorBody.class, complaints);
            return;
        }
        if (usageTold) {
            complaints.add(ValidationRule.ENDING, "comes after the usage; only [DONE] may");
        }
        if (!SchemaCheck.holds(chunk, ChatChunk.class, complaints)) {
            complaints.muteRestOfEvent();
        }
        identity(chunk);
        usage(chunk);
        for (var choice : chunk.path("choices")) {
            int index = choice.path("index").asInt(-1);
            choices.computeIfAbsent(index, _ -> new ChoiceState(index, complaints))
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
                complaints.add(ValidationRule.IDENTITY, member + " is not the one of the first chunk");
            }
        }
    }

    private void usage(JsonNode chunk) {
        boolean hasUsage = !ValueDifference.absent(chunk.path("usage"));
        boolean hasChoices = !chunk.path("choices").isEmpty();
        if (!hasUsage && !hasChoices) {
            complaints.add(ValidationRule.ORDER, "has neither choices nor usage");
        } else if (hasUsage && hasChoices) {
            complaints.add(ValidationRule.ORDER, "has usage beside choices; it comes in a chunk of its own");
        } else if (hasUsage) {
            usageTold = true;
            if (Boolean.FALSE.equals(options.includeUsage())) {
                complaints.add(ValidationRule.ORDER, "tells the usage, which nobody asked for");
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
            complaints.add(ValidationRule.ENDING, "the stream has no chunks");
        } else if (choices.isEmpty()) {
            complaints.add(ValidationRule.ENDING, "no chunk has a choice");
        }
        if (!usageTold) {
            openChoices("the stream ends before");
            if (Boolean.TRUE.equals(options.includeUsage())) {
                complaints.add(ValidationRule.ENDING, "the chunk with the usage is missing, which was asked for");
            }
        }
    }

    private void openChoices(String what) {
        for (var choice : choices.values()) {
            if (!choice.finished()) {
                complaints.add(ValidationRule.ENDING, what + " " + choice.name() + " has its finish_reason");
            }
        }
    }
}
