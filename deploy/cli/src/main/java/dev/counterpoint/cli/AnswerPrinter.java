package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.cli.RequestOptions.Reasoning;

/// Prints the events of one response: the reasoning dimmed, then the answer and the calls. Not thread-safe.
final class AnswerPrinter {
    private final CommandOutput terminal;
    private final Reasoning reasoning;
    private boolean inReasoning;
    private boolean lineOpen;
    private String id = "";
    private long last = -1;
    private boolean ended;
    private String failure = "";

    AnswerPrinter(CommandOutput terminal, Reasoning reasoning) {
        this.terminal = terminal;
        this.reasoning = reasoning;
    }

    void accept(JsonNode event) {
        last = event.path("sequence_number").asLong(last);
        switch (event.path("type").asText()) {
            case "response.created" -> id = event.at("/response/id").asText();
            case "response.reasoning_summary_part.added" -> breakReasoning(Reasoning.summary);
            case "response.reasoning_summary_text.delta" -> reason(event, Reasoning.summary);
            case "response.reasoning_text.delta" -> reason(event, Reasoning.full);
            case "response.output_text.delta", "response.refusal.delta" -> {
                answer();
                print(event.path("delta").asText());
            }
            case "response.output_item.done" -> item(event.path("item"));
            case "response.completed", "response.incomplete", "response.failed" -> end(event.path("response"));
            case "error" -> {
                ended = true;
                failure = SuiteClient.oneLine(event.path("message"));
            }
            default -> {} // events that a terminal does not show
        }
    }

    private void reason(JsonNode event, Reasoning kind) {
        if (reasoning.compareTo(kind) >= 0) {
            inReasoning = true;
            terminal.dim(event.path("delta").asText());
        }
    }

    private void breakReasoning(Reasoning kind) {
        if (inReasoning && reasoning.compareTo(kind) >= 0) {
            terminal.text("\n");
        }
    }

    private void answer() {
        if (inReasoning) {
            terminal.text("\n\n");
            inReasoning = false;
        }
    }

    private void print(String text) {
        terminal.text(text);
        lineOpen = !text.endsWith("\n") && (lineOpen || !text.isEmpty());
    }

    private void item(JsonNode item) {
        var type = item.path("type").asText();
        if (type.equals("function_call") || type.equals("custom_tool_call")) {
            answer();
            var arguments = type.equals("function_call") ? item.path("arguments") : item.path("input");
            print((lineOpen ? "\n" : "") + item.path("name").asText() + " " + arguments.asText() + "\n");
        }
    }

    private void end(JsonNode response) {
        ended = true;
        response.path("warnings").forEach(warning -> terminal.error("Warning: " + SuiteClient.oneLine(warning)));
        failure = failure(response);
    }

    /// Why a response is no whole answer; empty where it is one.
    static String failure(JsonNode response) {
        return switch (response.path("status").asText()) {
            case "failed" -> SuiteClient.oneLine(response.at("/error/message"));
            case "incomplete" ->
                "The answer is cut off: "
                        + response.at("/incomplete_details/reason").asText("unknown");
            case "cancelled" -> "The response was cancelled.";
            default -> "";
        };
    }

    /// Prints what is left of a line.
    ///
    /// @return id of the response
    /// @throws CommandFailure when there is no whole answer
    String finish() {
        if (lineOpen || inReasoning) {
            terminal.text("\n");
        }
        if (!ended) {
            throw CommandFailure.refused("The stream broke after event " + last
                    + ". Try: counterpoint responses replay " + id + " --after " + last);
        }
        if (!failure.isEmpty()) {
            throw CommandFailure.refused(failure);
        }
        return id;
    }
}
