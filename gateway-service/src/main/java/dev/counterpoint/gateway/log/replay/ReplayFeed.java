package dev.counterpoint.gateway.log.replay;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// The records of one response that its replay has still to take, brought by [ReplayLoop]: no more than a bound, so
/// that the log keeps what the reader has not asked for. Thread-safe.
public final class ReplayFeed {
    /// Half a thousand tokens. One record more fits, however large.
    public static final int BYTES_MAX = 128 * 1024;

    /// A reader that leaves may go unnoticed for so long.
    static final Duration SLICE = Duration.ofMillis(250);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final ResponseId id;
    private final String key;
    private final Deque<ConsumerRecord<String, byte[]>> records = new ArrayDeque<>();
    private long bytes;
    /// Offset of the first record that was not looked at.
    private long next;
    /// Time of the last record that was.
    private long readToMillis;
    /// The reader waits for frame 0, so it has to know how far the log was read without it.
    private boolean seeking = true;

    private @Nullable RuntimeException failure;
    private boolean closed;
    /// The turn at which the loop last read for it. Confined to the loop.
    long servedAt;

    /// @param from offset of the first record that may be the response's
    public ReplayFeed(ResponseId id, long from) {
        this.id = id;
        this.key = id.toString();
        this.next = from;
    }

    int partition() {
        return id.partition();
    }

    String key() {
        return key;
    }

    synchronized long next() {
        return next;
    }

    private synchronized long readToMillis() {
        return readToMillis;
    }

    /// True if there is room for more records.
    synchronized boolean hungry() {
        return !closed && failure == null && bytes < BYTES_MAX / 2;
    }

    /// Takes a record of its response, unless it has been here already.
    ///
    /// @return false when there is no room; it is to be brought again then
    synchronized boolean offer(ConsumerRecord<String, byte[]> record) {
        if (record.offset() < next) {
            return true;
        }
        if (bytes >= BYTES_MAX) {
            next = record.offset();
            return false;
        }
        records.add(record);
        bytes += KafkaClients.body(record).length;
        passed(record.offset() + 1, record.timestamp());
        notifyAll();
        return true;
    }

    /// All records before this offset were looked at.
    synchronized void passed(long offset, long millis) {
        next = Math.max(next, offset);
        readToMillis = Math.max(readToMillis, millis);
        if (seeking) {
            notifyAll();
        }
    }

    /// Frame 0 was found.
    synchronized void found() {
        seeking = false;
    }

    /// Waits for the next record, or for word of how far the log was read without one.
    ///
    /// @return null when none came, or the feed is closed
    /// @throws RuntimeException when the log cannot be read
    synchronized @Nullable ConsumerRecord<String, byte[]> take(long atMostNanos) throws InterruptedException {
        long until = System.nanoTime() + atMostNanos;
        long was = next;
        while (records.isEmpty() && failure == null && !closed && !(seeking && next > was)) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        var record = closed ? null : records.poll();
        if (record != null) {
            bytes -= KafkaClients.body(record).length;
        } else if (failure != null) {
            throw failure;
        }
        return record;
    }

    /// Waits for the next record as long as the log is read on.
    ///
    /// @param end offset after the last record that is wanted
    /// @param millis time of the last record that is wanted
    /// @return null when the log was read so far, and no record of the response is left
    /// @throws BackendUnavailableException when nobody reads on for some seconds
    @Nullable
    public ConsumerRecord<String, byte[]> takeBefore(long end, long millis) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
        long was = next();
        while (true) {
            // Before the question for a record: what was read by now is in the feed.
            long reached = next();
            boolean passed = reached >= end || readToMillis() > millis;
            var record = take(passed ? 0 : SLICE.toNanos());
            if (record != null || passed) {
                return record;
            }
            if (reached > was) {
                giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
                was = reached;
            } else if (System.nanoTime() > giveUpNanos) {
                throw new BackendUnavailableException("the message bus does not answer");
            }
        }
    }

    /// A record as a frame; empty for what cannot be read, which is void for every reader alike.
    public static Optional<Frame> frame(ConsumerRecord<String, byte[]> record) {
        try {
            return Optional.of(Frame.decode(record));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    /// The log cannot be read any further.
    synchronized void fail(RuntimeException cause) {
        failure = cause;
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        records.clear();
        notifyAll();
    }
}
