package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// One of the answers that a Chat stream tells.
final class ChoiceState {
    private final int index;
    private final StreamViolations violations;
    /// Ids of the tool calls so far, by their index.
    private final List<String> calls = new ArrayList<>();
    private boolean begun;
    private boolean raw;
    private boolean summarized;
    private boolean finished;

    ChoiceState(int index, StreamViolations violations) {
        this.index = index;
        this.violations = violations;
    }

    String name() {
        return "choice " + index;
    }

    boolean finished() {
        return finished;
    }

    void accept(JsonNode choice) {
        if (finished) {
            violations.add(ValidationRule.ENDING, name() + " goes on after its finish_reason");
            return;
        }
        var delta = choice.path("delta");
        role(delta.path("role"));
        delta.path("tool_calls").forEach(this::call);
        reasoning(delta);
        if (SchemaCheck.present(choice, "choices[].", List.of("finish_reason"), violations)) {
            finish(choice.path("finish_reason"));
        }
    }

    private void role(JsonNode role) {
        if (!begun && !role.asText().equals("assistant")) {
            violations.add(
                    ValidationRule.ORDER, "the first delta of " + name() + " does not say that its role is assistant");
        } else if (begun && !ValueDifference.absent(role)) {
            violations.add(ValidationRule.ORDER, name() + " tells its role again");
        }
        begun = true;
    }

    private void call(JsonNode call) {
        int number = call.path("index").asInt(-1);
        var id = call.path("id");
        var function = call.path("function");
        if (number >= 0 && number < calls.size()) {
            if (!ValueDifference.absent(id) && !id.asText().equals(calls.get(number))) {
                violations.add(
                        ValidationRule.IDENTITY,
                        "the id of tool call " + number + " is not the one it was opened with");
            }
            if (!function.path("name").asText("").isEmpty()) {
                violations.add(
                        ValidationRule.ORDER, "tool call " + number + " is named again; clients would append it");
            }
            return;
        }
        if (number != calls.size()) {
            violations.add(
                    ValidationRule.IDENTITY, "tool call " + number + " is not the next, which is " + calls.size());
            return;
        }
        boolean named = id.isTextual()
                && !id.textValue().isEmpty()
                && !call.path("type").asText("").isEmpty();
        boolean isFunction = call.path("type").asText().equals("function");
        if (!named || isFunction && function.path("name").asText("").isEmpty()) {
            violations.add(ValidationRule.ORDER, "tool call " + number + " opens without its id, type and name");
        }
        if (named && calls.contains(id.textValue())) {
            violations.add(ValidationRule.IDENTITY, "the id of tool call " + number + " is that of another");
        }
        calls.add(id.asText(""));
    }

    /// By OpenRouter's convention; clients take one of the two forms, so both have to say the same.
    private void reasoning(JsonNode delta) {
        var told = new StringBuilder();
        boolean inDetails = false;
        for (var detail : delta.path("reasoning_details")) {
            boolean text = detail.path("type").asText().equals("reasoning.text");
            boolean summary = detail.path("type").asText().equals("reasoning.summary");
            raw |= text;
            summarized |= summary;
            inDetails |= text || summary;
            told.append(detail.path(text ? "text" : "summary").asText(""));
        }
        var reasoning = delta.path("reasoning");
        if (inDetails && reasoning.isTextual() && ValueDifference.ofTexts(reasoning.textValue(), told) != null) {
            violations.add(
                    ValidationRule.WHOLE, "reasoning and reasoning_details of " + name() + " do not say the same");
        }
        if (raw && summarized) {
            violations.add(ValidationRule.KIND, name() + " mixes raw reasoning and summaries");
        }
    }

    private void finish(JsonNode reason) {
        if (reason.isNull()) {
            return;
        }
        finished = true;
        if (reason.asText().equals("tool_calls") && calls.isEmpty()) {
            violations.add(ValidationRule.ENDING, name() + " ends with tool_calls and has no call");
        }
    }
}
