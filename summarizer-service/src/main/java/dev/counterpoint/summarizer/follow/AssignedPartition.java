package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/// A partition of `frames` that the consumer group gave to this replica, with the responses on it whose summary is
/// being made. Not thread-safe.
///
/// The replica appends only after it has read the partition up to its end at the time of assignment. Before that it
/// does not know which parts of the summaries the log holds.
final class AssignedPartition {
    final TopicPartition at;
    final Map<ResponseId, SummarizedResponse> responses = new HashMap<>();
    private CatchUp catchUp = new CatchUp.Unmeasured();

    private sealed interface CatchUp {
        /// The end of the partition was not asked yet.
        record Unmeasured() implements CatchUp {}

        /// @param end offset up to which the partition must be read
        record Behind(long end) implements CatchUp {}

        record Done() implements CatchUp {}
    }

    AssignedPartition(TopicPartition at) {
        this.at = at;
    }

    boolean unmeasured() {
        return catchUp instanceof CatchUp.Unmeasured;
    }

    void measured(long end) {
        catchUp = new CatchUp.Behind(end);
    }

    boolean behind() {
        return catchUp instanceof CatchUp.Behind;
    }

    /// @return whether the partition has caught up with this position
    boolean readUpTo(long position) {
        if (catchUp instanceof CatchUp.Behind(long end) && position >= end) {
            catchUp = new CatchUp.Done();
            return true;
        }
        return false;
    }

    /// True if summaries may be appended.
    boolean caughtUp() {
        return catchUp instanceof CatchUp.Done;
    }

    /// Forgets the responses whose deadline has passed.
    void forgetExpired(long nowMillis) {
        responses.values().removeIf(response -> {
            boolean expired = response.expired(nowMillis);
            if (expired) {
                response.span.failed("expired").end();
            }
            return expired;
        });
    }

    /// The partition went to another replica.
    void handedOver() {
        responses
                .values()
                .forEach(response -> response.span.failed("handed_over").end());
    }

    /// The offset from which a successor must read, given how far this replica has read.
    long finished(long position) {
        return responses.values().stream()
                .mapToLong(response -> response.offset)
                .reduce(position, Math::min);
    }
}
