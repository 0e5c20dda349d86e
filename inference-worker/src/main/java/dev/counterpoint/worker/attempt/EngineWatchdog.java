package dev.counterpoint.worker.attempt;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineHealth;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;

/// Notices an engine that hangs: for some beats none of its generations shows life. The watchdog counts beats, not
/// time, since a process that stood still has not waited. An attempt that waits for the bus does not count. If only
/// one of several generations is stuck, its owner handles it.
public final class EngineWatchdog {
    private final int beatsMax;
    private final LongAdder signs = new LongAdder();
    private volatile Verdict verdict = new Works(false, 0, 0);

    private sealed interface Verdict {}

    /// @param awaited whether an attempt waited for the engine at the last beat
    /// @param signs of life up to the last beat
    /// @param quietBeats beats in a row without one
    private record Works(boolean awaited, long signs, int quietBeats) implements Verdict {
        Works next(boolean awaitedNow, long signsNow) {
            boolean quiet = awaited && awaitedNow && signsNow == signs;
            return new Works(awaitedNow, signsNow, quiet ? quietBeats + 1 : 0);
        }
    }

    /// An engine that hung once is never trusted again.
    private record Hangs() implements Verdict {}

    /// @param beatsMax without a sign of life, at least 1
    public EngineWatchdog(int beatsMax) {
        this.beatsMax = beatsMax;
    }

    /// The engine did something for one of its generations. Any thread.
    void sign() {
        signs.increment();
    }

    long signs() {
        return signs.sum();
    }

    /// Looks at the attempts under way, once a beat; one thread.
    public void look(Collection<Attempt> attempts) {
        if (verdict instanceof Works works) {
            var next = works.next(attempts.stream().anyMatch(Attempt::awaitsEngine), signs());
            verdict = next.quietBeats >= beatsMax ? new Hangs() : next;
        }
    }

    /// True if the engine can produce no more output.
    public boolean broke(Engine engine) {
        return hangs() || engine.health().status() == EngineHealth.Status.FAILED;
    }

    /// True if the engine hangs, once and for all.
    public boolean hangs() {
        return verdict instanceof Hangs;
    }
}
