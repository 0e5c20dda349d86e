package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Log probabilities with the text of their tokens, as clients read them.
final class LogprobText {
    private LogprobText() {}

    /// @param logprobs of the token, or null where none were asked for
    static Delta.@Nullable TokenLogprob of(int id, @Nullable TokenLogprobs logprobs) {
        if (logprobs == null) {
            return null;
        }
        var top = logprobs.top().stream()
                .map(other -> of(other.token(), other.logprob(), List.of()))
                .toList();
        return of(id, logprobs.logprob(), top);
    }

    private static Delta.TokenLogprob of(int id, double logprob, List<Delta.TokenLogprob> top) {
        var bytes = HarmonyTokenizer.shared().bytes(id);
        return new Delta.TokenLogprob(new String(bytes, StandardCharsets.UTF_8), bytes, logprob, top);
    }
}
