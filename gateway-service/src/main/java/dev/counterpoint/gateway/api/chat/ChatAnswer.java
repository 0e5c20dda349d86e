package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.PackedLogprobs;
import dev.counterpoint.openai.chat.ChatFunctionCall;
import dev.counterpoint.openai.chat.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sum of a completion's deltas so far. Not thread-safe.
final class ChatAnswer {
    private final StringBuilder content = new StringBuilder();
    private final PackedLogprobs.Builder logprobs = new PackedLogprobs.Builder();
    private final List<CallDraft> calls = new ArrayList<>();

    private record CallDraft(String id, String name, boolean custom, StringBuilder arguments) {
        ToolCall whole() {
            var text = arguments.toString();
            return custom
                    ? new ToolCall.Custom(id, new ToolCall.CustomCall(name, text))
                    : new ToolCall.Function(id, new ChatFunctionCall(name, text));
        }
    }

    void content(String text, List<Logprob> fresh) {
        content.append(text);
        logprobs.addAll(fresh);
    }

    boolean hasContent() {
        return !content.isEmpty();
    }

    /// @return index of the call
    int call(String id, String name, boolean custom) {
        calls.add(new CallDraft(id, name, custom, new StringBuilder()));
        return calls.size() - 1;
    }

    /// Appends to the arguments, or the input, of the last call.
    void arguments(String text) {
        calls.getLast().arguments.append(text);
    }

    /// Null when the answer is calls alone.
    @Nullable
    String contentOrNull() {
        return content.isEmpty() && !calls.isEmpty() ? null : content.toString();
    }

    List<Logprob> logprobs() {
        return logprobs.list();
    }

    List<ToolCall> calls() {
        return calls.stream().map(CallDraft::whole).toList();
    }

    List<String> callIds() {
        return calls.stream().map(CallDraft::id).toList();
    }
}
