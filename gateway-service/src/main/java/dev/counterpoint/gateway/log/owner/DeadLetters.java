package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/// The attempts whose jobs became dead letters: they killed one worker after the other before a fence, or a worker
/// refused them. Keeps the latest ones; what is forgotten is queued again after a while and dies again. Thread-safe.
@Singleton
final class DeadLetters {
    static final int KEPT_MAX = 10_000;

    private final Map<ResponseId, Integer> attempts = new LinkedHashMap<>();

    synchronized void add(ResponseId response, int attempt) {
        attempts.merge(response, attempt, Math::max);
        if (attempts.size() > KEPT_MAX) {
            attempts.remove(attempts.keySet().iterator().next());
        }
    }

    /// True if the job of this attempt, or of a later one, is among them.
    synchronized boolean hold(ResponseId response, int attempt) {
        return attempts.getOrDefault(response, 0) >= attempt;
    }
}
