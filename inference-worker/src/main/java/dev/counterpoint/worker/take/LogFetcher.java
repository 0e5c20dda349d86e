package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Reads what jobs need of the logs of responses: frame 0, and the stretch from where their tickets say up to a fence.
/// Thread-safe.
///
/// A partition holds the logs of many responses, one among the other. Who takes over from a dead worker needs the
/// same stretch of it for each of its responses, so what was read is kept until [#forget], up to a bound. Whoever needs
/// one partition waits for nobody who reads another.
final class LogFetcher implements AutoCloseable {
    /// As many jobs are taken at once.
    private static final int READERS_MAX = 4;
    /// So few records are read along with frame 0, because a second question to the broker takes longer.
    private static final int NEAR = 500;

    private final LogReader.Sources sources;
    private final long keptBytesMax;
    private final ConcurrentHashMap<TopicPartition, PartitionLog> logs = new ConcurrentHashMap<>();
    /// Since [#forget].
    private final AtomicLong keptBytes = new AtomicLong();

    private final Semaphore readers = new Semaphore(READERS_MAX);
    private final Deque<LogReader> idle = new ArrayDeque<>();
    private boolean closed;

    /// @param keptBytesMax of the log; one response that is longer is read all the same, and not kept
    LogFetcher(LogReader.Sources sources, long keptBytesMax) {
        this.sources = sources;
        this.keptBytesMax = keptBytesMax;
    }

    /// The frames of a job's response up to an offset, itself included, without those that its ticket says do not
    /// count. Frames that nobody can read are left out, as every reader leaves them out.
    ///
    /// @throws KafkaException when the log cannot be read within some seconds
    List<Frame> fetch(JobTicket ticket, long last) throws InterruptedException {
        var partition = new TopicPartition(Topic.FRAMES, ticket.response().partition());
        var log = logs.computeIfAbsent(partition, PartitionLog::new);
        log.lock.lockInterruptibly();
        try {
            readers.acquire();
            try {
                return frames(log.read(ticket, last));
            } finally {
                readers.release();
            }
        } finally {
            log.lock.unlock();
        }
    }

    /// Frame 0 of a job; empty where it stands too far from the rest to be read along with it.
    ///
    /// @throws KafkaException when the log cannot be read within some seconds
    Optional<Frame> first(JobTicket ticket) throws InterruptedException {
        return ticket.passedOver() > NEAR
                ? Optional.empty()
                : fetch(ticket, ticket.acceptedOffset()).stream().findFirst();
    }

    private static List<Frame> frames(List<ConsumerRecord<String, byte[]>> records) {
        var frames = new ArrayList<Frame>();
        for (var entry : records) {
            try {
                frames.add(Frame.decode(entry));
            } catch (MalformedMessageException e) {
                // Void for every reader alike.
            }
        }
        return frames;
    }

    private final class PartitionLog {
        private final ReentrantLock lock = new ReentrantLock();
        private final TopicPartition at;
        private @Nullable LogStretch stretch;

        private PartitionLog(TopicPartition at) {
            this.at = at;
        }

        private List<ConsumerRecord<String, byte[]>> read(JobTicket ticket, long last) {
            var reader = take();
            boolean sound = false;
            try {
                var records = read(ticket, last, reader);
                sound = true;
                return records;
            } finally {
                if (!sound) {
                    stretch = null;
                }
                giveBack(reader, sound);
            }
        }

        private List<ConsumerRecord<String, byte[]>> read(JobTicket ticket, long last, LogReader reader) {
            var key = ticket.response().toString();
            if (ticket.passedOver() <= NEAR) {
                return stretch(ticket.acceptedOffset(), last, key, reader);
            }
            var records = new ArrayList<ConsumerRecord<String, byte[]>>();
            reader.record(at, ticket.acceptedOffset())
                    .filter(entry -> key.equals(entry.key()))
                    .ifPresent(records::add);
            records.addAll(stretch(ticket.readFrom(), last, key, reader));
            return records;
        }

        private List<ConsumerRecord<String, byte[]>> stretch(long first, long last, String key, LogReader reader) {
            var known = stretch != null && stretch.reaches(first)
                    ? stretch
                    : new LogStretch(first, keptBytes, keptBytesMax);
            stretch = known;
            reader.read(at, known, last, key);
            if (known.full()) {
                forget();
            }
            return known.records(key, first, last);
        }
    }

    private synchronized LogReader take() {
        var known = idle.poll();
        return known == null ? new LogReader(sources) : known;
    }

    /// @param sound false for one that failed, and may fail again
    private void giveBack(LogReader reader, boolean sound) {
        synchronized (this) {
            if (sound && !closed) {
                idle.push(reader);
                return;
            }
        }
        reader.close();
    }

    /// Nothing is asked for again soon.
    void forget() {
        logs.clear();
        keptBytes.set(0);
    }

    /// Readers at work close when they are done.
    @Override
    public void close() {
        List<LogReader> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(idle);
            idle.clear();
        }
        all.forEach(LogReader::close);
    }
}
