package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.stream.ModelOutput;
import dev.counterpoint.gateway.stream.Replays;
import org.jspecify.annotations.Nullable;

/// A response that somebody else runs, read from its log.
public final class RepeatedGeneration implements Generations.Generation {
    private final ResponseId id;
    private final Replays.Replay replay;
    private volatile boolean left;

    RepeatedGeneration(ResponseId id, Replays.Replay replay) {
        this.id = id;
        this.replay = replay;
    }

    @Override
    public ResponseId id() {
        return id;
    }

    /// Whether its reader went away, so that it does not know how it ended.
    public boolean left() {
        return left;
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        var output = left ? null : replay.next(atMostMillis);
        if (output == null) {
            return left ? new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED) : null;
        }
        if (output instanceof ModelOutput.Finished || output instanceof ModelOutput.Stopped) {
            replay.close();
        }
        return output;
    }

    @Override
    public void abandon() {
        left = true;
        replay.close();
    }

    @Override
    public void settle() {
        // Whoever runs it does.
    }
}
