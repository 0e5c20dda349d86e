package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A generation whose reader does not lose it by falling behind: it is told so once, by the exception; whoever goes on
/// reads the rest from the log itself. For one reader.
public final class LogBacked implements Generations.Generation {
    private final Generations.Generation live;
    private final Replays replays;
    /// Outputs that were handed out.
    private long taken;
    private boolean lost;
    /// Of these, those that the replay has not come past.
    private long toSkip;
    private Replays.@Nullable Replay replay;

    public LogBacked(Generations.Generation live, Replays replays) {
        this.live = live;
        this.replays = replays;
    }

    @Override
    public ResponseId id() {
        return live.id();
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        if (lost) {
            return fromLog(atMostMillis);
        }
        try {
            var output = live.next(atMostMillis);
            taken += output == null ? 0 : 1;
            return output;
        } catch (Generations.LaggingReaderException e) {
            lost = true;
            throw e;
        }
    }

    private @Nullable ModelOutput fromLog(long atMostMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        var log = opened(atMostMillis);
        if (log == null) {
            return null;
        }
        boolean goesOn = false;
        try {
            var output = log.next(left(deadline));
            for (; output != null && toSkip > 0; toSkip--) {
                output = log.next(left(deadline));
            }
            goesOn = !(output instanceof ModelOutput.Finished || output instanceof ModelOutput.Stopped);
            return output;
        } finally {
            if (!goesOn) {
                log.close();
            }
        }
    }

    private static long left(long deadlineNanos) {
        return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    }

    private Replays.@Nullable Replay opened(long atMostMillis) throws InterruptedException {
        var open = replay;
        if (open != null) {
            return open;
        }
        try {
            open = replays.open(id(), atMostMillis);
        } catch (Replays.BusyException | Generations.UnavailableException e) {
            return null; // another time
        }
        toSkip = taken;
        replay = open;
        return open;
    }

    @Override
    public void abandon() {
        live.abandon();
    }

    @Override
    public void settle() {
        live.settle();
    }
}
