package dev.counterpoint.gateway.log.follow;

import java.util.Set;

/// Asks the broker where partitions of `frames` end. Thread-safe.
@FunctionalInterface
public interface EndOffsets {
    /// Asks, and waits for nobody.
    ///
    /// @param answer told once of each partition, on any thread
    void ask(Set<Integer> partitions, Answer answer);

    /// Takes the broker's answers.
    interface Answer {
        /// @param offset after the last frame
        void ends(int partition, long offset);

        /// The broker did not say.
        void failed(int partition);
    }
}
