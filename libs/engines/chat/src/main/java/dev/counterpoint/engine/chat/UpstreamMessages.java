package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The conversation as messages of Chat Completions: instructions at the beginning in one, what the model
/// said in one turn in one, because many templates know no other order. Not thread-safe.
public final class UpstreamMessages {
    private static final String CONTENT = "content";
    private static final String IMAGE = "image_url";
    /// The member of a message by which most servers take reasoning back that they told.
    private static final String REASONING = "reasoning_content";

    private final ChatTask wanted;
    private final UpstreamCallIds ids;
    private final ArrayNode messages = JsonNodeFactory.instance.arrayNode();
    private final Map<String, PromptItem.Call> calls = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    /// The turn of the model that is being told.
    private @Nullable ObjectNode turn;

    private UpstreamMessages(ChatTask wanted) {
        this.wanted = wanted;
        ids = new UpstreamCallIds(wanted.known().family());
    }

    static ArrayNode of(ChatTask wanted) {
        var conversation = new UpstreamMessages(wanted);
        conversation.tell(ReasoningInstructions.of(wanted));
        return conversation.messages;
    }

    /// The same without a word of ours.
    static ArrayNode asTold(ChatTask wanted) {
        var conversation = new UpstreamMessages(wanted);
        conversation.tell(List.of());
        return conversation.messages;
    }

    /// The same for a model in this process.
    ///
    /// @param ours lines below the client's own instructions
    public static ArrayNode of(GenerationJob job, KnownModel known, List<String> ours) {
        var conversation = new UpstreamMessages(ChatTask.of(job, known, List.of(ReasoningStrategy.NONE)));
        conversation.tell(ours);
        return conversation.messages;
    }

    private void tell(List<String> ours) {
        var items = wanted.job().prompt();
        int from = 0;
        var leading = new ArrayList<String>();
        while (from < items.size() && items.get(from) instanceof PromptItem.Instructions(String text)) {
            leading.add(text);
            from++;
        }
        leading.addAll(ours);
        var line = wanted.thinking().line();
        if (!line.isEmpty()) {
            leading.add(line);
        }
        if (!leading.isEmpty()) {
            say("system", String.join("\n\n", leading));
        }
        PromptItem.inCallOrder(items.subList(from, items.size())).forEach(this::tell);
    }

    private void tell(PromptItem item) {
        switch (item) {
            case PromptItem.Instructions(String text) -> say("system", text);
            case PromptItem.User(String text) -> say("user", text);
            case PromptItem.Illustrated(var parts) -> show(parts);
            case PromptItem.Assistant(String text, boolean _) -> said(text);
            case PromptItem.Reasoning(String text) -> reasoned(text);
            case PromptItem.Sealed _, PromptItem.Retold _ ->
                throw new IllegalArgumentException("sealed reasoning was not opened");
            case PromptItem.Call call -> {
                calls.put(call.callId(), call);
                answered.remove(call.callId());
                called(call);
            }
            case PromptItem.CallOutput result -> {
                var call = calls.get(result.callId());
                if (call != null && !answered.add(result.callId())) {
                    // Templates take one result a call, right behind it: so the call is repeated for a late result.
                    turn = null;
                    called(call);
                }
                say("tool", result.output()).put("tool_call_id", ids.of(result.callId()));
            }
        }
    }

    private ObjectNode say(String role, String text) {
        turn = null;
        return messages.addObject().put("role", role).put(CONTENT, text);
    }

    private void show(List<PromptItem.Illustrated.Part> parts) {
        turn = null;
        var content = messages.addObject().put("role", "user").putArray(CONTENT);
        for (var part : parts) {
            if (part.isImage()) {
                var image =
                        content.addObject().put("type", IMAGE).putObject(IMAGE).put("url", part.imageUrl());
                if (!part.detail().isEmpty()) {
                    image.put("detail", part.detail());
                }
            } else {
                content.addObject().put("type", "text").put("text", part.text());
            }
        }
    }

    /// Goes back in the server's own member, or as the model writes it; a model that writes no marks has no place
    /// for it.
    private void reasoned(String text) {
        if (wanted.known().separatesReasoning()) {
            append(REASONING, text);
        } else {
            wanted.marks().ifPresent(marks -> said(marks.open() + "\n" + text + "\n" + marks.close()));
        }
    }

    private void said(String text) {
        append(CONTENT, text);
    }

    private void append(String member, String text) {
        var now = turn();
        var before = now.path(member).asText();
        now.put(member, before.isEmpty() ? text : before + "\n\n" + text);
    }

    private void called(PromptItem.Call call) {
        var function = turn().withArray("tool_calls")
                .addObject()
                .put("id", ids.of(call.callId()))
                .put("type", "function")
                .putObject("function");
        var arguments = wanted.takesPlainText(call.name())
                ? JsonNodeFactory.instance
                        .objectNode()
                        .put(ChatTask.INPUT, call.arguments())
                        .toString()
                : call.arguments();
        function.put("name", call.name()).put("arguments", arguments);
    }

    private ObjectNode turn() {
        if (turn == null) {
            turn = messages.addObject().put("role", "assistant").put("content", "");
        }
        return turn;
    }

    /// The tokens of a conversation, as our tokenizer counts them; images are no text.
    static int tokens(JsonNode messages) {
        var tokenizer = HarmonyTokenizer.shared();
        int tokens = 0;
        for (var message : messages) {
            tokens += tokenizer.countTokens(message.path(CONTENT).asText());
            for (var part : message.path(CONTENT)) {
                tokens += tokenizer.countTokens(part.path("text").asText());
            }
            tokens += tokenizer.countTokens(message.path(REASONING).asText());
            for (var call : message.path("tool_calls")) {
                tokens += tokenizer.countTokens(
                        call.path("function").path("arguments").asText());
            }
        }
        return tokens;
    }

    /// The model's report of its reasoning, and the reply to it.
    static List<ObjectNode> reported(String arguments) {
        // Nine letters, which every template takes.
        var id = "reasoning";
        var call =
                JsonNodeFactory.instance.objectNode().put("role", "assistant").put("content", "");
        var function = call.putArray("tool_calls")
                .addObject()
                .put("id", id)
                .put("type", "function")
                .putObject("function");
        function.put("name", ChatTask.REPORT).put("arguments", arguments);
        var answer = JsonNodeFactory.instance
                .objectNode()
                .put("role", "tool")
                .put("tool_call_id", id)
                .put("content", ReasoningInstructions.REPORTED);
        return List.of(call, answer);
    }
}
