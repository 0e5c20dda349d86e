package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.replay.ReplayFeed;
import dev.counterpoint.gateway.log.replay.ReplayLoop;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the logs of opted-in responses that their owner ended once more, for the records that the audit service gets.
/// Few at a time, because a log may be long. Thread-safe.
@Singleton
final class OwnerTraces {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerTraces.class);
    private static final int AT_ONCE = 2;

    private final ReplayLoop loop;
    private final KeyRing keys;
    private final Executor reading = Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofVirtual().name("owner-trace-", 0).factory());

    OwnerTraces(ReplayLoop loop, KeyRing keys) {
        this.loop = loop;
        this.keys = keys;
    }

    /// Whoever knows what the log of a response says of its reasoning.
    @FunctionalInterface
    interface Source {
        /// Returns at once.
        ///
        /// @param told gets the frames; null when the log cannot be read now
        void read(FollowedResponse response, Consumer<@Nullable List<byte[]>> told);
    }

    void read(FollowedResponse response, Consumer<@Nullable List<byte[]>> told) {
        long end = response.trace().endOffset();
        reading.execute(() -> told.accept(frames(response, end)));
    }

    private @Nullable List<byte[]> frames(FollowedResponse response, long end) {
        var feed = loop.join(response.id, response.offset);
        try {
            return frames(feed, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (RuntimeException e) {
            LOG.warn(
                    "trace is read again later responseId={} cause={}",
                    response.id,
                    e.getClass().getSimpleName());
            return null;
        } finally {
            loop.leave(feed);
        }
    }

    private List<byte[]> frames(ReplayFeed feed, long end) throws InterruptedException {
        ReasoningFrames found = null;
        for (var record = next(feed, end); record != null; record = next(feed, end)) {
            var frame = ReplayFeed.frame(record).orElse(null);
            if (frame != null && found == null) {
                var trust = LogTrust.of(frame, keys);
                found = trust == null ? null : new ReasoningFrames(trust);
            }
            if (frame != null && found != null && record.offset() <= end) {
                found.accept(frame);
            }
        }
        return found == null ? List.of() : found.frames();
    }

    private static @Nullable ConsumerRecord<String, byte[]> next(ReplayFeed feed, long end)
            throws InterruptedException {
        return feed.takeBefore(end + 1, Long.MAX_VALUE);
    }
}
