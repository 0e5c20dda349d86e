package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import org.jspecify.annotations.Nullable;

/// The prompt and the output so far. Not thread-safe.
final class PromptAndOutput {
    private final GenerationRequest request;
    private final int lengthMax;
    private final TokenBuffer ids;

    PromptAndOutput(GenerationRequest request, int contextLength) {
        this.request = request;
        int[] prompt = request.prompt();
        int[] prefix = request.prefix();
        ids = new TokenBuffer(prompt.length + prefix.length + 64);
        ids.addAll(prompt);
        ids.addAll(prefix);
        lengthMax = (int) Math.min(contextLength, (long) prompt.length + request.maxTokens());
    }

    void add(int id) {
        ids.add(id);
    }

    /// The reason for which the output is complete; null while it is not.
    @Nullable
    StopReason end() {
        int said = length() - request.prompt().length;
        if (said > 0 && request.stopTokens().contains(last())) {
            return StopReason.STOP_TOKEN;
        }
        if (said >= request.maxTokens()) {
            return StopReason.LENGTH;
        }
        return length() >= lengthMax ? StopReason.CONTEXT_FULL : null;
    }

    /// Tokens that still fit.
    int room() {
        return lengthMax - length();
    }

    int[] ids() {
        return ids.toArray();
    }

    int last() {
        return ids.get(ids.size() - 1);
    }

    int length() {
        return ids.size();
    }
}
