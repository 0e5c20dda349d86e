package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.kafka.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What decides which worker gets a job.
///
/// @param model whose workers take it
/// @param band how soon
/// @param prefix of the prompt: jobs of the same prefix go to the same workers, as far as their load allows
/// @param avoid worker that had the job and lost it, or null
public record JobRouting(
        String model,
        Topic.Band band,
        long prefix,
        @Nullable String avoid) {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int SHIFT = 32;

    /// Hash of the common beginning of a conversation's turns: instructions and first message. Equal in all gateways
    /// and Java versions.
    public static long prefix(List<PromptItem> prompt) {
        long hash = 0;
        for (var item : prompt) {
            switch (item) {
                case PromptItem.Instructions(var text) -> hash = mix(hash + text.hashCode());
                case PromptItem.User(var text) -> {
                    return mix(hash + text.hashCode());
                }
                case PromptItem.Illustrated illustrated -> {
                    return mix(hash + illustrated.text().hashCode());
                }
                case PromptItem.Assistant _,
                        PromptItem.Reasoning _,
                        PromptItem.Sealed _,
                        PromptItem.Call _,
                        PromptItem.CallOutput _,
                        PromptItem.Retold _ -> {}
            }
        }
        return hash;
    }

    /// Rendezvous hashing: the worker with the highest weight is the prefix's first choice. When a worker comes or
    /// goes, no prefix moves between the others.
    long weight(String worker) {
        return mix(prefix ^ mix(worker.hashCode()));
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> SHIFT) * MULTIPLIER;
        return mixed ^ mixed >>> SHIFT;
    }
}
