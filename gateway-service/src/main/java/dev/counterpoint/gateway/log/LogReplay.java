package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/// One replay: a consumer of its own on the partition of its response, asked for more only when its reader has taken
/// what came. It holds one batch of records, and closes itself with the last output, and with a failure as if its
/// reader had left.
final class LogReplay implements Replays.Replay {
    /// A record may be stamped so much later than one that was sent after it: the clock of the gateway that sent
    /// both may have been set back.
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(30);
    /// Within this of a response's acceptance its frame 0 is appended, or it never is.
    private static final Duration APPENDED_WITHIN = Duration.ofMinutes(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    /// A reader that leaves may go unnoticed for so long.
    private static final Duration SLICE = Duration.ofMillis(250);

    private final ResponseId id;
    private final KeyRing keys;
    private final Consumer<String, byte[]> consumer;
    private final Runnable released;
    /// Whoever has it may use the consumer.
    private final ReentrantLock reading = new ReentrantLock();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final Deque<ModelOutput> ready = new ArrayDeque<>();
    private Iterator<ConsumerRecord<String, byte[]>> batch = Collections.emptyIterator();
    private @Nullable Accepted accepted;
    private @Nullable ResponseOutputs outputs;

    private enum State {
        OPEN,
        CLOSED,
        /// Closed by its reader before the end.
        LEFT
    }

    /// @param consumer closed with the replay
    /// @param released told once, when the consumer is closed
    LogReplay(ResponseId id, KeyRing keys, Consumer<String, byte[]> consumer, Runnable released) {
        this.id = id;
        this.keys = keys;
        this.consumer = consumer;
        this.released = released;
    }

    /// Finds frame 0. To be called first; the replay is closed when this fails.
    ///
    /// @throws Replays.GoneException when it is not there
    /// @throws SuiteUnavailableException when the bus does not answer
    LogReplay open() throws InterruptedException {
        boolean found = false;
        try {
            var first = asked(this::frameZero).orElseThrow(Replays.GoneException::new);
            var trust = Optional.ofNullable(LogTrust.of(first, keys)).orElseThrow(Replays.GoneException::new);
            var terms = Accepted.decode(first.body());
            var fresh = new ResponseOutputs(terms, trust);
            ready.addAll(fresh.accept(first));
            accepted = terms;
            outputs = fresh;
            found = true;
            return this;
        } finally {
            if (!found) {
                state.set(State.CLOSED);
                release();
            }
        }
    }

    private Optional<Frame> frameZero() {
        var at = new TopicPartition(Topic.FRAMES, id.partition());
        consumer.assign(List.of(at));
        long end = consumer.endOffsets(List.of(at), ANSWER_MAX).getOrDefault(at, 0L);
        var from = consumer.offsetsForTimes(Map.of(at, id.acceptedAtMillis() - CLOCK_SLACK.toMillis()), ANSWER_MAX)
                .get(at);
        if (from == null) {
            return Optional.empty();
        }
        consumer.seek(at, from.offset());
        long giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
        while (consumer.position(at, ANSWER_MAX) < end) {
            batch = consumer.poll(SLICE).iterator();
            while (batch.hasNext()) {
                giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
                var record = batch.next();
                var frame = frame(record).filter(one -> one.kind() == FrameKind.ACCEPTED);
                if (frame.isPresent()) {
                    return frame;
                }
                if (record.timestamp() > id.acceptedAtMillis() + APPENDED_WITHIN.toMillis()) {
                    return Optional.empty();
                }
            }
            if (System.nanoTime() > giveUpNanos) {
                throw new BackendUnavailableException("the message bus does not answer");
            }
        }
        return Optional.empty();
    }

    /// The frame, when it is one of this response; others are none of ours, readable or not.
    private Optional<Frame> frame(ConsumerRecord<String, byte[]> record) {
        try {
            return Optional.of(Frame.decode(record))
                    .filter(one -> one.response().equals(id));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    @Override
    public ResponseId id() {
        return id;
    }

    @Override
    public Accepted accepted() {
        return Objects.requireNonNull(accepted);
    }

    @Override
    public byte[] echo() {
        return keys.open(accepted().sealed().echo(), BusGenerations.echoContext(id));
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        reading.lockInterruptibly();
        try {
            var output = read(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis));
            if (output != null && output.isLast()) {
                close();
            }
            return output == null && left() ? new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED) : output;
        } catch (RuntimeException e) {
            abandon();
            throw e;
        } finally {
            reading.unlock();
        }
    }

    private @Nullable ModelOutput read(long deadlineNanos) throws InterruptedException {
        var opened = Objects.requireNonNull(outputs);
        while (state.get() == State.OPEN) {
            var output = ready.poll();
            if (output != null) {
                return output;
            }
            if (batch.hasNext()) {
                frame(batch.next()).map(opened::accept).ifPresent(ready::addAll);
                continue;
            }
            var left = Duration.ofNanos(deadlineNanos - System.nanoTime());
            if (!left.isPositive()) {
                return null;
            }
            batch = asked(() -> consumer.poll(left.compareTo(SLICE) < 0 ? left : SLICE))
                    .iterator();
        }
        return null;
    }

    private interface Question<T> {
        T ask();
    }

    private static <T> T asked(Question<T> question) throws InterruptedException {
        try {
            return question.ask();
        } catch (InvalidOffsetException e) {
            throw new Replays.GoneException();
        } catch (InterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while replaying");
        } catch (KafkaException e) {
            throw new BackendUnavailableException("the message bus does not answer");
        }
    }

    @Override
    public boolean left() {
        return state.get() == State.LEFT;
    }

    @Override
    public void abandon() {
        close(State.LEFT);
    }

    @Override
    public void close() {
        close(State.CLOSED);
    }

    /// The reader may be about to ask for more, and the caller an event loop.
    private void close(State how) {
        if (state.compareAndSet(State.OPEN, how)) {
            Thread.startVirtualThread(this::release);
        }
    }

    private void release() {
        reading.lock();
        try {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        } finally {
            reading.unlock();
            released.run();
        }
    }
}
