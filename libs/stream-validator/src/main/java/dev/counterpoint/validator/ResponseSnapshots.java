package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events that show the whole response: in order, of one response, and at the end with all that came.
final class ResponseSnapshots {
    /// What the contract requires of a response though some of it may be null.
    private static final List<String> REQUIRED = List.of(
            "id",
            "object",
            "created_at",
            "access_programs",
            "error",
            "incomplete_details",
            "instructions",
            "metadata",
            "model",
            "output",
            "parallel_tool_calls",
            "temperature",
            "tool_choice",
            "tools",
            "top_p");

    private static final List<String> CONSTANT = List.of("id", "created_at", "model");
    private static final Set<String> UNFINISHED =
            Set.of("in_progress", "searching", "interpreting", "generating", "calling");

    private final boolean whole;
    private final StreamViolations violations;
    private @Nullable LifecycleStage stage;
    private JsonNode first = MissingNode.getInstance();

    /// @param whole whether the stream begins with its beginning
    ResponseSnapshots(boolean whole, StreamViolations violations) {
        this.whole = whole;
        this.violations = violations;
    }

    /// The response's id; empty before it was shown.
    String id() {
        return first.path("id").asText();
    }

    void accept(LifecycleStage next, JsonNode response, Collection<ItemState> items) {
        if (stage != null && next.compareTo(stage) <= 0) {
            violations.add(
                    ValidationRule.ORDER, "comes after response." + stage.name().toLowerCase(Locale.ROOT));
        }
        stage = next;
        if (!SchemaCheck.present(response, "response.", REQUIRED, violations)) {
            violations.muteRestOfEvent();
        }
        identity(response);
        status(next, response);
        if (next.terminal()) {
            output(next, response.path("output"), items);
        } else if (!items.isEmpty()) {
            violations.add(ValidationRule.ORDER, "comes after the first item was opened");
        } else if (!response.path("output").isEmpty()) {
            violations.add(ValidationRule.ORDER, "response.output holds items that no event has opened");
        }
    }

    private void identity(JsonNode response) {
        if (first.isMissingNode()) {
            first = response;
            return;
        }
        for (var member : CONSTANT) {
            if (ValueDifference.between(first.path(member), response.path(member)) != null) {
                violations.add(ValidationRule.IDENTITY, "response." + member + " is not the one of the first event");
            }
        }
    }

    private void status(LifecycleStage next, JsonNode response) {
        var status = response.path("status").asText("");
        if (!next.statuses().contains(status)) {
            violations.add(
                    ValidationRule.ENDING,
                    "response.status is '" + shortened(status) + "', which is not one of "
                            + next.statuses().stream().sorted().toList());
        }
        if (next == LifecycleStage.INCOMPLETE
                && !response.at("/incomplete_details/reason").isTextual()) {
            violations.add(ValidationRule.ENDING, "response.incomplete_details does not say why");
        }
        if (status.equals("failed") && !response.at("/error/message").isTextual()) {
            violations.add(ValidationRule.ENDING, "response.error does not say what failed");
        }
        if (next != LifecycleStage.FAILED && !ValueDifference.absent(response.path("error"))) {
            violations.add(ValidationRule.ENDING, "response.error is there though the response has not failed");
        }
    }

    private static String shortened(String status) {
        return status.length() <= 32 ? status : status.substring(0, 32) + "…";
    }

    private void output(LifecycleStage end, JsonNode output, Collection<ItemState> items) {
        if (whole && output.size() != items.size()) {
            violations.add(
                    ValidationRule.WHOLE,
                    "response.output holds " + output.size() + " items, and " + items.size() + " came");
        }
        for (var item : items) {
            if (item.done().isMissingNode()) {
                violations.add(
                        ValidationRule.ORDER, item.name() + " is still open: its response.output_item.done is missing");
            } else if (output.has(item.index())) {
                same(item, output.get(item.index()));
            }
        }
        for (int i = 0; i < output.size(); i++) {
            var status = output.get(i).path("status").asText();
            boolean last = i == output.size() - 1;
            boolean wrong = status.equals("incomplete") && (end == LifecycleStage.COMPLETED || !last);
            if (wrong || end == LifecycleStage.COMPLETED && UNFINISHED.contains(status)) {
                violations.add(
                        ValidationRule.ENDING,
                        "response.output[" + i + "] is " + status + "; only the last item of a response that was cut "
                                + "off may be incomplete, and none in progress");
            }
        }
    }

    private void same(ItemState item, JsonNode shown) {
        var path = ValueDifference.between(item.done(), shown);
        if (path != null) {
            violations.add(
                    path.equals("id") ? ValidationRule.IDENTITY : ValidationRule.WHOLE,
                    "response.output[" + item.index() + "] is not the item that was closed: differs in " + path);
        }
    }
}
