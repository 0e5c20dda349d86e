package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What one chunk of a stream says, or the whole answer of a server that does not stream.
///
/// @param reasoning that the server itself told from the answer; empty for none
/// @param sealedReasoning whether it has reasoning that only the server can read
/// @param content empty for none
/// @param whole whether it holds a whole message, and not more of one
record ChatEvent(
        String reasoning,
        boolean sealedReasoning,
        String content,
        List<CallDelta> calls,
        Finish finish,
        boolean whole) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ChatEvent NOTHING = new ChatEvent("", false, "", List.of(), Finish.NONE, false);
    private static final Set<String> SEALED = Set.of("reasoning.encrypted", "redacted_thinking");
    private static final Pattern DONE = Pattern.compile("stop(_sequence)?|end(_turn)?|eos(_token)?|completed?"
            + "|finish(ed)?|done|tool_calls?|tool_use|function_call");

    /// The reason for which the server is done, if it is.
    enum Finish {
        NONE,
        DONE,
        LENGTH,
        /// It withheld the rest.
        FILTERED,
        /// It broke the output off, or says something that is not known.
        BROKEN
    }

    /// More of a call.
    ///
    /// @param index of the call, in the order of the calls; null where the server does not say
    /// @param id of the call, on the first delta as a rule; empty for none
    /// @param name more of the function's name, on the first delta as a rule; empty for none
    record CallDelta(@Nullable Integer index, String id, String name, String arguments) {}

    int characters() {
        int ofCalls = calls.stream()
                .mapToInt(call -> call.name.length() + call.arguments.length())
                .sum();
        return reasoning.length() + content.length() + ofCalls;
    }

    /// True if it says nothing of the output.
    boolean isEmpty() {
        return reasoning.isEmpty() && content.isEmpty() && calls.isEmpty();
    }

    /// Reads an event. One without choices says nothing: servers send usage, pings and notes so.
    ///
    /// @param data of the event
    /// @throws ServerFailure when it is no JSON object, or tells of an error
    static ChatEvent read(String data) throws ServerFailure {
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (JsonProcessingException e) {
            throw ServerFailure.wrong("an event is not JSON");
        }
        if (!event.isObject()) {
            throw ServerFailure.wrong("an event is no JSON object");
        }
        if (event.hasNonNull("error") || "error".equals(event.path("object").asText())) {
            throw ServerFailure.broken("the server reports an error");
        }
        var choice = choice(event.path("choices"));
        if (!choice.isObject()) {
            return NOTHING;
        }
        boolean whole = !choice.path("delta").isObject();
        var message = choice.path(whole ? "message" : "delta");
        return new ChatEvent(
                reasoning(message),
                hasSealedReasoning(message),
                content(message.isObject() ? message : choice),
                calls(message),
                finish(choice.path("finish_reason")),
                whole && message.isObject());
    }

    /// The choice that was asked for: the first, or one without a place.
    private static JsonNode choice(JsonNode choices) {
        return choices.valueStream()
                .filter(choice -> choice.path("index").asInt(0) == 0)
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static List<CallDelta> calls(JsonNode message) {
        var calls = new ArrayList<CallDelta>();
        for (var call : message.path("tool_calls")) {
            // Some put the function's members beside the id.
            var function = call.path("function").isObject() ? call.path("function") : call;
            var index = call.path("index");
            calls.add(new CallDelta(
                    index.isInt() ? index.intValue() : null,
                    text(call.path("id")),
                    text(function.path("name")),
                    arguments(function.path("arguments"))));
        }
        var before = message.path("function_call");
        if (before.isObject()) {
            calls.add(new CallDelta(null, "", text(before.path("name")), arguments(before.path("arguments"))));
        }
        return calls;
    }

    /// A text, or the value itself.
    private static String arguments(JsonNode node) {
        return node.isContainerNode() ? node.toString() : text(node);
    }

    private static Finish finish(JsonNode reason) {
        var name = text(reason).strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            // Some write it as text.
            case "", "null" -> Finish.NONE;
            case "length", "model_length", "max_tokens", "max_output_tokens" -> Finish.LENGTH;
            case "content_filter", "safety" -> Finish.FILTERED;
            // An answer that was broken off must not pass for a whole one.
            default -> DONE.matcher(name).matches() ? Finish.DONE : Finish.BROKEN;
        };
    }

    /// What the client is to read: a text, a list of parts (Mistral), a refusal (OpenAI), or the `text`
    /// of a completion.
    private static String content(JsonNode message) {
        var text = new StringBuilder(parts(message.path("content"), false, false));
        text.append(text(message.path("refusal")));
        return text.isEmpty() ? text(message.path("text")) : text.toString();
    }

    /// The reasoning in the server's message. A server with several names for it sends the same text under each, so
    /// the first name with text counts.
    private static String reasoning(JsonNode message) {
        for (var name : new String[] {"reasoning_content", "reasoning", "thinking", "reasoning_text"}) {
            var told = parts(message.path(name), true, true);
            if (!told.isEmpty()) {
                return told;
            }
        }
        var details = parts(message.path("reasoning_details"), true, true);
        return details.isEmpty() ? parts(message.path("content"), true, false) : details;
    }

    /// True if the message has reasoning that only the server can read: `reasoning.encrypted` of OpenRouter,
    /// `redacted_thinking` of Anthropic.
    private static boolean hasSealedReasoning(JsonNode message) {
        return Stream.of(message.path("reasoning_details"), message.path("content"))
                .flatMap(JsonNode::valueStream)
                .filter(part -> SEALED.contains(part.path("type").asText()))
                .anyMatch(part -> !text(part.path("data")).isEmpty());
    }

    /// @param reasoning whether reasoning is wanted, and not the answer
    /// @param all whether everything in the node is reasoning
    private static String parts(JsonNode node, boolean reasoning, boolean all) {
        if (node.isTextual()) {
            return reasoning && !all ? "" : node.textValue();
        }
        if (node.isObject()) {
            return part(node, reasoning, all);
        }
        var text = new StringBuilder();
        node.forEach(part -> text.append(parts(part, reasoning, all)));
        return text.toString();
    }

    private static String part(JsonNode part, boolean reasoning, boolean all) {
        var type = part.path("type").asText();
        boolean thought = type.contains("think") || type.contains("reasoning");
        if (!all && thought != reasoning) {
            return "";
        }
        var text = new StringBuilder();
        for (var name : new String[] {"text", "thinking", "reasoning", "summary", "content", "refusal"}) {
            if (text.isEmpty()) {
                text.append(thought || all ? parts(part.path(name), true, true) : text(part.path(name)));
            }
        }
        return text.toString();
    }

    /// Empty where the node is no text.
    private static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }
}
