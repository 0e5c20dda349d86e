package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.ModelFamily.CallIds;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The conversation as messages of Chat Completions: instructions at the beginning in one, what the model
/// said in one turn in one, because many templates know no other order. Not thread-safe.
public final class UpstreamMessages {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String CONTENT = "content";
    private static final String IMAGE = "image_url";
    /// The member of a message by which most servers take reasoning back that they told.
    private static final String REASONING = "reasoning_content";

    private final ChatTask wanted;
    private final ArrayNode messages = NODES.arrayNode();
    private final Map<String, PromptItem.Call> calls = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    /// Ids of nine digits by those that the client has.
    private final Map<String, String> nine = new HashMap<>();
    /// The turn of the model that is being told.
    private @Nullable ObjectNode turn;

    private UpstreamMessages(ChatTask wanted) {
        this.wanted = wanted;
    }

    static ArrayNode of(ChatTask wanted) {
        return of(wanted, ReasoningInstructions.of(wanted));
    }

    /// The same for a model in this process.
    public static ArrayNode of(GenerationJob job, KnownModel known, List<String> ours) {
        return of(ChatTask.of(job, known, List.of(ReasoningStrategy.NONE)), ours);
    }

    /// @param ours lines below the client's own instructions
    static ArrayNode of(ChatTask wanted, List<String> ours) {
        var conversation = new UpstreamMessages(wanted);
        conversation.tell(ours);
        return conversation.messages;
    }

    private void tell(List<String> ours) {
        var items = wanted.job().prompt();
        var leading = new ArrayList<String>();
        while (leading.size() < items.size()
                && items.get(leading.size()) instanceof PromptItem.Instructions(String text)) {
            leading.add(text);
        }
        int from = leading.size();
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
            case PromptItem.Assistant(String text, boolean _) -> append(CONTENT, text);
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
                say("tool", result.output()).put("tool_call_id", id(result.callId()));
            }
        }
    }

    /// The id of a call in the form that the model's template takes. The same conversation has the same ids in each
    /// turn, so that what a server computed of it counts again.
    private String id(String callId) {
        var family = wanted.known().family();
        return family != null && family.callIds() == CallIds.NINE
                ? nine.computeIfAbsent(callId, _ -> "%09d".formatted(nine.size()))
                : callId;
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
            wanted.marks().ifPresent(marks -> append(CONTENT, marks.open() + "\n" + text + "\n" + marks.close()));
        }
    }

    private void append(String member, String text) {
        var now = turn();
        var before = now.path(member).asText();
        now.put(member, before.isEmpty() ? text : before + "\n\n" + text);
    }

    private void called(PromptItem.Call call) {
        var arguments = wanted.takesPlainText(call.name())
                ? NODES.objectNode().put(ChatTask.INPUT, call.arguments()).toString()
                : call.arguments();
        call(turn(), id(call.callId()), call.name(), arguments);
    }

    private static void call(ObjectNode turn, String id, String function, String arguments) {
        turn.withArray("tool_calls")
                .addObject()
                .put("id", id)
                .put("type", "function")
                .putObject("function")
                .put("name", function)
                .put("arguments", arguments);
    }

    private ObjectNode turn() {
        if (turn == null) {
            turn = messages.addObject().put("role", "assistant").put(CONTENT, "");
        }
        return turn;
    }

    /// The tokens of a conversation, as our tokenizer counts them; images are no text.
    static int tokens(JsonNode messages) {
        return Stream.of(CONTENT, "text", REASONING, "arguments")
                .flatMap(member -> messages.findValuesAsText(member).stream())
                .mapToInt(HarmonyTokenizer.shared()::countTokens)
                .sum();
    }

    /// The model's report of its reasoning, and the reply to it.
    static List<ObjectNode> reported(String reasoning) {
        // Nine letters, which every template takes.
        var id = "reasoning";
        var call = NODES.objectNode().put("role", "assistant").put(CONTENT, "");
        call(
                call,
                id,
                ChatTask.REPORT,
                NODES.objectNode().put("reasoning", reasoning).toString());
        var answer = NODES.objectNode()
                .put("role", "tool")
                .put("tool_call_id", id)
                .put(CONTENT, ReasoningInstructions.REPORTED);
        return List.of(call, answer);
    }
}
