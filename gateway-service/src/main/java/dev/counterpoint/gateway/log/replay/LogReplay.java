package dev.counterpoint.gateway.log.replay;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.log.follow.ResponseOutputs;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One replay: takes the records of its response from its feed when its reader asks for more, and closes itself with
/// the last output, and with a failure as if its reader had left.
final class LogReplay implements Replays.Replay {
    /// Frame 0 is sought in records of so long after its response was accepted: longer than
    /// [Replays#APPENDED_WITHIN], because the broker's clock dates them.
    static final Duration SOUGHT_WITHIN = Duration.ofMinutes(2);

    private final KeyRing keys;
    private final ResponseId id;
    private final ReplayFeed feed;
    private final Runnable released;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final Deque<ModelOutput> ready = new ArrayDeque<>();
    private @Nullable Accepted accepted;
    private @Nullable ResponseOutputs outputs;

    private enum State {
        OPEN,
        CLOSED,
        /// Closed by its reader before the end.
        LEFT
    }

    /// @param released told once, when the replay needs its feed no more
    LogReplay(ResponseId id, KeyRing keys, ReplayFeed feed, Runnable released) {
        this.id = id;
        this.keys = keys;
        this.feed = feed;
        this.released = released;
    }

    /// Finds frame 0. To be called first; the replay is closed when this fails.
    ///
    /// @param end where the log ended when the replay began: frame 0 stands before it
    /// @throws Replays.GoneException when it is not there
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not answer
    LogReplay open(long end) throws InterruptedException {
        boolean found = false;
        try {
            var first = frameZero(end).orElseThrow(Replays.GoneException::new);
            var trust = Optional.ofNullable(LogTrust.of(first, keys)).orElseThrow(Replays.GoneException::new);
            var terms = Accepted.decode(first.body());
            var fresh = new ResponseOutputs(terms, trust);
            ready.addAll(fresh.accept(first));
            accepted = terms;
            outputs = fresh;
            feed.found();
            found = true;
            return this;
        } finally {
            if (!found) {
                close();
            }
        }
    }

    private Optional<Frame> frameZero(long end) throws InterruptedException {
        long latest = id.acceptedAtMillis() + SOUGHT_WITHIN.toMillis();
        for (var record = feed.takeBefore(end, latest); record != null; record = feed.takeBefore(end, latest)) {
            var frame = ReplayFeed.frame(record);
            if (frame.filter(one -> one.kind() == FrameKind.ACCEPTED).isPresent()) {
                return frame;
            }
        }
        return Optional.empty();
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
        return keys.open(accepted().sealed().echo(), Submission.echoContext(id));
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        try {
            var output = read(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis));
            if (output != null && output.isLast()) {
                close();
            }
            return output == null && left() ? new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED) : output;
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    private @Nullable ModelOutput read(long deadlineNanos) throws InterruptedException {
        var opened = Objects.requireNonNull(outputs);
        while (state.get() == State.OPEN) {
            var output = ready.poll();
            if (output != null) {
                return output;
            }
            long left = Math.min(deadlineNanos - System.nanoTime(), ReplayFeed.SLICE.toNanos());
            var record = feed.take(Math.max(0, left));
            if (record != null) {
                ReplayFeed.frame(record).map(opened::accept).ifPresent(ready::addAll);
            } else if (left <= 0) {
                return null;
            }
        }
        return null;
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

    private void close(State how) {
        if (state.compareAndSet(State.OPEN, how)) {
            released.run();
        }
    }
}
