package dev.counterpoint.local.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.util.ArrayList;
import java.util.List;

/// What was said in one response, put together: the same four texts from a stream's pieces, from a whole answer, and
/// from the log.
///
/// @param text for the user
/// @param calls each function's name and arguments
/// @param reasoning raw
/// @param summary of the reasoning
record Transcript(String text, String calls, String reasoning, String summary) {
    /// Chat makes one text of several messages.
    private static final String BETWEEN_CHAT_MESSAGES = "\n\n";

    /// Collects pieces; what opens a new part is set apart in chat.
    private static final class Draft {
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder calls = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final StringBuilder summary = new StringBuilder();

        private void call(String name) {
            calls.append('\n').append(name).append(' ');
        }

        private Transcript done() {
            return new Transcript(text.toString(), calls.toString(), reasoning.toString(), summary.toString());
        }
    }

    /// What a caller's stream or answer says.
    static Transcript of(HeardAnswer heard) {
        if (!heard.events().isEmpty()) {
            return heard.ask().api() == Api.RESPONSES ? ofEvents(heard.chunks()) : ofChunks(heard.chunks());
        }
        return ofAnswer(heard.ask().api(), Question.tree(heard.answer()));
    }

    /// What a whole response or completion says.
    static Transcript ofAnswer(Api api, JsonNode answer) {
        return api == Api.RESPONSES ? ofResponse(answer) : ofCompletion(answer);
    }

    private static Transcript ofEvents(List<JsonNode> events) {
        var draft = new Draft();
        for (var event : events) {
            var delta = event.path("delta").asText();
            switch (event.path("type").asText()) {
                case "response.output_text.delta" -> draft.text.append(delta);
                case "response.reasoning_text.delta" -> draft.reasoning.append(delta);
                case "response.reasoning_summary_text.delta" -> draft.summary.append(delta);
                case "response.function_call_arguments.delta" -> draft.calls.append(delta);
                case "response.output_item.added" -> {
                    if (event.path("item").path("type").asText().equals("function_call")) {
                        draft.call(event.path("item").path("name").asText());
                    }
                }
                default -> {
                    // Repeats what the others said.
                }
            }
        }
        return draft.done();
    }

    private static Transcript ofChunks(List<JsonNode> chunks) {
        var draft = new Draft();
        for (var chunk : chunks) {
            addMessage(draft, chunk.path("choices").path(0).path("delta"));
        }
        return draft.done();
    }

    private static Transcript ofCompletion(JsonNode completion) {
        var draft = new Draft();
        addMessage(draft, completion.path("choices").path(0).path("message"));
        return draft.done();
    }

    private static void addMessage(Draft draft, JsonNode message) {
        draft.text.append(message.path("content").asText(""));
        draft.reasoning.append(message.path("reasoning").asText(""));
        draft.summary.append(message.path("reasoning_summary").asText(""));
        for (var call : message.path("tool_calls")) {
            var function = call.path("function");
            if (function.has("name")) {
                draft.call(function.path("name").asText());
            }
            draft.calls.append(function.path("arguments").asText(""));
        }
    }

    private static Transcript ofResponse(JsonNode response) {
        var draft = new Draft();
        for (var item : response.path("output")) {
            switch (item.path("type").asText()) {
                case "message" -> addTexts(draft.text, item.path("content"));
                case "reasoning" -> {
                    addTexts(draft.reasoning, item.path("content"));
                    addTexts(draft.summary, item.path("summary"));
                }
                case "function_call" -> {
                    draft.call(item.path("name").asText());
                    draft.calls.append(item.path("arguments").asText());
                }
                default -> throw new IllegalArgumentException("an item that the run does not know");
            }
        }
        return draft.done();
    }

    private static void addTexts(StringBuilder to, JsonNode parts) {
        parts.forEach(part -> to.append(part.path("text").asText()));
    }

    /// What a caller of this request is to be told of a log.
    static Transcript of(Told told, AskedQuestion ask) {
        var draft = new Draft();
        var between = ask.api() == Api.CHAT ? BETWEEN_CHAT_MESSAGES : "";
        for (var message : told.messages()) {
            if (message.reasoning()) {
                if (seesReasoning(ask) && message.function() == null) {
                    append(draft.reasoning, between, message.text());
                }
            } else if (message.function() == null) {
                append(draft.text, between, message.text());
            } else {
                draft.call(message.function());
                draft.calls.append(message.text());
            }
        }
        for (var sentence : told.sentences()) {
            append(draft.summary, sentence.opensPart() ? between : "", sentence.text());
        }
        return draft.done();
    }

    /// What is read from its row later has no raw reasoning: that is never kept in clear.
    private static boolean seesReasoning(AskedQuestion ask) {
        return ask.raw() && ask.manner() != Manner.BACKGROUND;
    }

    private static void append(StringBuilder to, String between, String text) {
        if (!text.isEmpty()) {
            to.append(to.isEmpty() ? "" : between).append(text);
        }
    }

    /// Whether this is how `whole` begins.
    boolean begins(Transcript whole) {
        return whole.text.startsWith(text)
                && whole.calls.startsWith(calls)
                && whole.reasoning.startsWith(reasoning)
                && whole.summary.startsWith(summary);
    }

    /// Where two first differ, for people; says nothing of what stands there.
    String difference(Transcript other) {
        var differences = new ArrayList<String>();
        differ("text", text, other.text, differences);
        differ("calls", calls, other.calls, differences);
        differ("reasoning", reasoning, other.reasoning, differences);
        differ("summary", summary, other.summary, differences);
        return String.join(", ", differences);
    }

    private static void differ(String what, String one, String other, List<String> differences) {
        if (!one.equals(other)) {
            int at = 0;
            while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
                at++;
            }
            differences.add("%s at %d of %d and %d".formatted(what, at, one.length(), other.length()));
        }
    }

    /// The items, or the message, that a next request sends back because they call a function; empty when nothing is
    /// called.
    static List<JsonNode> called(HeardAnswer heard) {
        if (heard.outcome() != Outcome.WHOLE || !heard.ask().question().offersTool()) {
            return List.of();
        }
        if (heard.ask().api() == Api.CHAT) {
            return heard.answer().isEmpty() ? calledInChunks(heard) : calledIn(heard);
        }
        var response = heard.events().isEmpty()
                ? Question.tree(heard.answer())
                : heard.chunks().getLast().path("response");
        var items = new ArrayList<JsonNode>();
        response.path("output").forEach(items::add);
        boolean calls =
                items.stream().anyMatch(item -> item.path("type").asText().equals("function_call"));
        return calls && response.path("status").asText().equals("completed") ? items : List.of();
    }

    private static List<JsonNode> calledIn(HeardAnswer heard) {
        var message = Question.tree(heard.answer()).path("choices").path(0).path("message");
        return message.path("tool_calls").isEmpty() ? List.of() : List.of(message);
    }

    private static List<JsonNode> calledInChunks(HeardAnswer heard) {
        var message = Question.JSON.createObjectNode().put("role", "assistant");
        var calls = message.putArray("tool_calls");
        var arguments = new StringBuilder();
        for (var chunk : heard.chunks()) {
            for (var call : chunk.path("choices").path(0).path("delta").path("tool_calls")) {
                if (call.has("id") && calls.isEmpty()) {
                    calls.add(call.deepCopy());
                }
                arguments.append(call.path("function").path("arguments").asText(""));
            }
        }
        if (calls.isEmpty()) {
            return List.of();
        }
        ((ObjectNode) calls.get(0).path("function")).put("arguments", arguments.toString());
        return List.of(message);
    }
}
