package dev.counterpoint.worker.engine.remote;

import dev.counterpoint.worker.engine.GenerationRequest;
import dev.counterpoint.worker.engine.StopReason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The prompt and the output so far. Not thread-safe.
final class Output {
    private final GenerationRequest request;
    private final int lengthMax;
    private int[] ids;
    private int length;

    Output(GenerationRequest request, int contextLength) {
        this.request = request;
        int[] prompt = request.prompt();
        int[] prefix = request.prefix();
        length = prompt.length + prefix.length;
        ids = Arrays.copyOf(prompt, length + 64);
        System.arraycopy(prefix, 0, ids, prompt.length, prefix.length);
        lengthMax = (int) Math.min(contextLength, (long) prompt.length + request.maxTokens());
    }

    void add(int id) {
        if (length == ids.length) {
            ids = Arrays.copyOf(ids, 2 * length);
        }
        ids[length++] = id;
    }

    /// Why it is complete; null while it is not.
    @Nullable
    StopReason end() {
        int said = length - request.prompt().length;
        if (said > 0 && request.stopTokens().contains(ids[length - 1])) {
            return StopReason.STOP_TOKEN;
        }
        if (said >= request.maxTokens()) {
            return StopReason.LENGTH;
        }
        return length >= lengthMax ? StopReason.CONTEXT_FULL : null;
    }

    /// Tokens that still fit.
    int room() {
        return lengthMax - length;
    }

    /// A copy.
    int[] ids() {
        return Arrays.copyOf(ids, length);
    }

    int last() {
        return ids[length - 1];
    }

    int length() {
        return length;
    }
}
