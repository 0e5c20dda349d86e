package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Says again what a scripted generation said, from its first word on.
final class FakeReplay implements Replays.Replay {
    private final FakeModels.Started started;
    private int read;
    private volatile boolean closed;
    private volatile boolean left;

    FakeReplay(FakeModels.Started started) {
        this.started = started;
    }

    @Override
    public ResponseId id() {
        return started.generation().id();
    }

    @Override
    public Accepted accepted() {
        var submission = started.submission();
        var id = started.generation().id();
        var nothing = new byte[0];
        return new Accepted(
                submission.tenant(),
                submission.key(),
                submission.model(),
                id.acceptedAtMillis(),
                id.acceptedAtMillis() + 60_000,
                Set.of(),
                submission.lifetime() == Submission.Lifetime.BACKGROUND,
                submission.stored(),
                submission.band(),
                new Accepted.SealedParts(nothing, nothing, nothing, nothing),
                "",
                1);
    }

    @Override
    public byte[] echo() {
        return started.submission().echo();
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) {
        long deadline = System.nanoTime() + atMostMillis * 1_000_000;
        var log = started.generation().log();
        while (!closed && read == log.size() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
        if (left) {
            return new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED);
        }
        return closed || read == log.size() ? null : log.get(read++);
    }

    @Override
    public boolean left() {
        return left;
    }

    @Override
    public void abandon() {
        left = true;
        close();
    }

    @Override
    public void close() {
        closed = true;
    }
}
