package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Removes the oldest turns of a prompt that exceeds the context, if the request allows that. Removes as few turns
/// as necessary and only whole ones, so that no output loses its call. Keeps the instructions and the last turn.
final class PromptTruncation {
    /// The divisor of the context that gives the tokens kept free for the output where the request does not limit
    /// the output.
    private static final int OUTPUT_SHARE = 4;
    /// The divisor of the context that gives the most tokens kept free for the output.
    private static final int OUTPUT_SHARE_MAX = 2;

    private PromptTruncation() {}

    /// The prompt, whole or shortened; it may still be too long.
    ///
    /// @param contextLength in tokens
    /// @param render writes a job as tokens
    static int[] fit(GenerationJob job, int contextLength, Function<GenerationJob, int[]> render) {
        int[] whole = render.apply(job);
        int max = contextLength - outputRoom(job, contextLength);
        if (!job.leeway().forgets() || whole.length <= max) {
            return whole;
        }
        var begins = turns(job.prompt());
        // A prompt that begins later is shorter, so the first beginning that fits is found by halving.
        int low = 1;
        int high = begins.size() - 1;
        int[] best = whole;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int[] shorter = render.apply(job.with(from(begins.get(middle), job.prompt())));
            if (shorter.length <= max) {
                high = middle - 1;
                best = shorter;
            } else {
                low = middle + 1;
                best = best.length > max ? shorter : best;
            }
        }
        return best;
    }

    private static int outputRoom(GenerationJob job, int contextLength) {
        int usual = contextLength / OUTPUT_SHARE;
        return job.maxOutputTokens() == 0 ? usual : Math.min(job.maxOutputTokens(), contextLength / OUTPUT_SHARE_MAX);
    }

    /// The items at which turns begin, which are the user's words.
    private static List<Integer> turns(List<PromptItem> prompt) {
        var begins = new ArrayList<Integer>();
        for (int i = 0; i < prompt.size(); i++) {
            if (prompt.get(i) instanceof PromptItem.User || prompt.get(i) instanceof PromptItem.Illustrated) {
                begins.add(i);
            }
        }
        return begins;
    }

    private static List<PromptItem> from(int begin, List<PromptItem> prompt) {
        var kept = new ArrayList<PromptItem>();
        for (int i = 0; i < prompt.size(); i++) {
            if (i >= begin || prompt.get(i) instanceof PromptItem.Instructions) {
                kept.add(prompt.get(i));
            }
        }
        return kept;
    }
}
