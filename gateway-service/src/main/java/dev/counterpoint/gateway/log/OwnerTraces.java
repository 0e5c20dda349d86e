package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.wire.MalformedMessageException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the logs of opted-in responses that their owner ended once more, for the records that the audit service gets.
/// Few at a time, because a log may be long. Thread-safe.
@Singleton
final class OwnerTraces {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerTraces.class);
    private static final int AT_ONCE = 2;
    private static final Duration SLICE = Duration.ofMillis(250);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final ReplayLoop loop;
    private final KeyRing keys;
    private final Executor reading = Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofVirtual().name("owner-trace-", 0).factory());

    @Inject
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
        long giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
        while (true) {
            boolean passed = feed.next() > end;
            var record = feed.take(passed ? 0 : SLICE.toNanos());
            if (record == null && passed) {
                break;
            }
            if (record != null) {
                giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
                var frame = frame(record);
                if (frame != null && found == null) {
                    var trust = LogTrust.of(frame, keys);
                    found = trust == null ? null : new ReasoningFrames(trust);
                }
                if (frame != null && found != null && record.offset() <= end) {
                    found.accept(frame);
                }
            } else if (System.nanoTime() > giveUpNanos) {
                throw new TimeoutException("the log does not come");
            }
        }
        return found == null ? List.of() : found.frames();
    }

    private static @Nullable Frame frame(ConsumerRecord<String, byte[]> record) {
        try {
            return Frame.decode(record);
        } catch (MalformedMessageException e) {
            return null;
        }
    }
}
