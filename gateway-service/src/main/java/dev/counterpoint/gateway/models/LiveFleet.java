package dev.counterpoint.gateway.models;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.fleet.Beat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the beats on the bus tell: who lives, who serves what. Time is counted in this gateway's own beats as they come
/// back, so that a slow bus or a slow reader makes nobody look dead. Thread-safe; pure but for its memory.
public final class LiveFleet implements Fleet {
    private static final int FORGET_AFTER_BEATS = 7_200;

    private final String self;
    private final int deadAfterBeats;
    private final Duration beatInterval;
    private final Map<String, Seen> senders = new HashMap<>();
    private long ownBeats;

    private record Seen(
            long atBeat,
            Beat.@Nullable Model model,
            @Nullable Role role,
            long lagMillis) {}

    /// @param self sender of this gateway's own beats
    /// @param deadAfterBeats own beats without one of a worker after which it counts as dead
    /// @param beatInterval time between own beats
    public LiveFleet(String self, int deadAfterBeats, Duration beatInterval) {
        this.self = self;
        this.deadAfterBeats = deadAfterBeats;
        this.beatInterval = beatInterval;
    }

    /// Takes the next beat of the topic.
    public synchronized void accept(Beat beat) {
        if (beat.sender().equals(self)) {
            ownBeats++;
            senders.values().removeIf(seen -> ownBeats - seen.atBeat > FORGET_AFTER_BEATS);
        } else if (beat.model() != null || beat.role() != null) {
            senders.put(beat.sender(), new Seen(ownBeats, beat.model(), beat.role(), beat.lagMillis()));
        }
    }

    /// A worker said that it leaves: it is dead at once, and what it served stays known.
    public synchronized void left(String sender) {
        senders.computeIfPresent(
                sender, (_, seen) -> new Seen(ownBeats - deadAfterBeats, seen.model, seen.role, seen.lagMillis));
    }

    /// How many of this gateway's beats have come back: its clock.
    public synchronized long ownBeats() {
        return ownBeats;
    }

    /// Whether a worker has been silent for too long. One that was never heard of is given the same time.
    public synchronized boolean dead(String worker) {
        var seen = senders.computeIfAbsent(worker, _ -> new Seen(ownBeats, null, null, 0));
        return !alive(seen);
    }

    private boolean alive(Seen seen) {
        return ownBeats - seen.atBeat < deadAfterBeats;
    }

    /// Whether at least one service of this role lives.
    public synchronized boolean lives(Role role) {
        return senders.values().stream().anyMatch(seen -> seen.role == role && alive(seen));
    }

    @Override
    public synchronized Duration lag(Role role) {
        long beats = beatInterval.toMillis();
        return Duration.ofMillis(senders.values().stream()
                .filter(seen -> seen.role == role)
                .mapToLong(seen -> seen.lagMillis + (ownBeats - seen.atBeat) * beats)
                .min()
                .orElse(ownBeats * beats));
    }

    @Override
    public synchronized List<Beat.Model> models() {
        var byName = new TreeMap<String, Beat.Model>();
        for (var seen : senders.values()) {
            if (seen.model != null && alive(seen)) {
                byName.merge(seen.model.name(), seen.model, LiveFleet::together);
            }
        }
        return List.copyOf(byName.values());
    }

    private static Beat.Model together(Beat.Model a, Beat.Model b) {
        return new Beat.Model(
                a.name(),
                a.description(),
                Math.min(a.contextLength(), b.contextLength()),
                a.slots() + b.slots(),
                a.freeSlots() + b.freeSlots(),
                a.abilities().stream().filter(b.abilities()::contains).toList());
    }

    @Override
    public synchronized boolean known(String name) {
        return senders.values().stream()
                .anyMatch(seen -> seen.model != null && seen.model.name().equals(name));
    }
}
