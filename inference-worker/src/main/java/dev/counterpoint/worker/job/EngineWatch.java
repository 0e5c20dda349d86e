package dev.counterpoint.worker.job;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Notices an engine that hangs: for some beats nothing comes of any of its generations, or one goes on that was
/// told to stop. Counts beats, not time, since a process that stood still has not waited. One generation that is
/// stuck beside others that move is its owner's business.
final class EngineWatch {
    private final int beatsMax;
    private final LongAdder signs = new LongAdder();
    private Map<Attempt, Integer> beatsDisobeyed = Map.of();
    private boolean generatesSince;
    private long signsSeen;
    private int quietBeats;
    private volatile boolean hangs;

    /// @param beatsMax without a sign of life, at least 1
    EngineWatch(int beatsMax) {
        this.beatsMax = beatsMax;
    }

    /// The engine did something for one of its generations. Any thread.
    void sign() {
        signs.increment();
    }

    /// How often it did so far.
    long signs() {
        return signs.sum();
    }

    /// Looks at what runs, once a beat; one thread.
    void look(Collection<Attempt> attempts) {
        var generating = attempts.stream().filter(Attempt::generates).toList();
        long now = signs();
        boolean quiet = generatesSince && !generating.isEmpty() && now == signsSeen;
        quietBeats = quiet ? quietBeats + 1 : 0;
        generatesSince = !generating.isEmpty();
        signsSeen = now;
        var disobeyed = new HashMap<Attempt, Integer>();
        for (var attempt : generating) {
            if (attempt.toldToStop()) {
                disobeyed.put(attempt, beatsDisobeyed.getOrDefault(attempt, -1) + 1);
            }
        }
        beatsDisobeyed = disobeyed;
        hangs |= quietBeats >= beatsMax || disobeyed.values().stream().anyMatch(beats -> beats >= beatsMax);
    }

    /// Whether it hangs, once and for all.
    boolean hangs() {
        return hangs;
    }
}
