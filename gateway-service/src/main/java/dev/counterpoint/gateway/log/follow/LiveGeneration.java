package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.http.LoopFeed;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A response that this gateway follows, as its reader sees it: outputs come from the following loop, and from the
/// log itself once the reader has fallen behind. The response's place is free again once its reader has the last
/// output, because until then the outputs cost memory.
public final class LiveGeneration implements Generations.Generation {
    private final ResponseId id;
    private final ReaderHandle handle;
    private final boolean outlivesClient;
    private final Replays replays;
    private final Admission admission;
    private volatile Source source = new Source.Loop();
    /// Outputs that were handed out.
    private long taken;
    /// Of these, those that the replay has come past.
    private long skipped;

    /// The source of the next output.
    private sealed interface Source {
        record Loop() implements Source {}

        /// The loop has dropped outputs, and no replay is open yet.
        record Nowhere() implements Source {}

        public record Log(Replays.Replay replay) implements Source {}
    }

    /// @param outlivesClient whether the response goes on when its client leaves
    public LiveGeneration(
            ResponseId id, ReaderHandle handle, boolean outlivesClient, Replays replays, Admission admission) {
        this.id = id;
        this.handle = handle;
        this.outlivesClient = outlivesClient;
        this.replays = replays;
        this.admission = admission;
    }

    @Override
    public ResponseId id() {
        return id;
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        return switch (source) {
            case Source.Loop _ -> fromLoop(atMostMillis);
            case Source.Nowhere _ -> fromLog(atMostMillis);
            case Source.Log(var replay) -> fromLog(replay, atMostMillis);
        };
    }

    private @Nullable ModelOutput fromLoop(long atMostMillis) throws InterruptedException {
        var output = handle.mailbox().poll(atMostMillis);
        if (output != null) {
            taken++;
        } else if (handle.mailbox().exhausted()) {
            source = new Source.Nowhere();
        }
        if (fellBehind() || output != null && output.isLast()) {
            admission.readerLeft(id);
        }
        return output;
    }

    /// While as many replays run as there may be, or the bus is away, nothing comes.
    private @Nullable ModelOutput fromLog(long atMostMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        Replays.Replay replay;
        try {
            replay = replays.complete(id, atMostMillis);
        } catch (Replays.BusyException | BackendUnavailableException e) {
            return null;
        }
        source = new Source.Log(replay);
        return fromLog(replay, left(deadline));
    }

    /// A replay that fails closes itself; whoever asks again gets a new one.
    private @Nullable ModelOutput fromLog(Replays.Replay replay, long atMostMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        try {
            var output = replay.next(atMostMillis);
            for (; output != null && skipped < taken; skipped++) {
                output = replay.next(left(deadline));
            }
            return output;
        } catch (RuntimeException e) {
            source = new Source.Nowhere();
            skipped = 0;
            throw e;
        }
    }

    private static long left(long deadlineNanos) {
        return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    }

    @Override
    public @Nullable LoopFeed feed() {
        return fellBehind() ? null : handle.mailbox();
    }

    @Override
    public boolean fellBehind() {
        return !(source instanceof Source.Loop);
    }

    /// The following loop appends the end: it knows whether there is one already, and the caller may be an event
    /// loop.
    @Override
    public void abandon() {
        if (!outlivesClient) {
            handle.abandon();
        }
    }

    @Override
    public void settle() {
        handle.settle();
    }
}
