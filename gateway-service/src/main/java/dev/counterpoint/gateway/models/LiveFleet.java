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
            long lagMillis,
            boolean gateway) {
        /// Nobody known, as of this beat.
        Seen(long atBeat) {
            this(atBeat, null, null, 0, false);
        }

        Seen(long atBeat, Beat beat) {
            this(atBeat, beat.model(), beat.role(), beat.lagMillis(), beat.model() == null && beat.role() == null);
        }

        Seen at(long beat) {
            return new Seen(beat, model, role, lagMillis, gateway);
        }

        Seen serving(Beat.Model now) {
            return new Seen(atBeat, now, role, lagMillis, gateway);
        }
    }

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
        } else {
            senders.put(beat.sender(), new Seen(ownBeats, beat));
        }
    }

    /// A worker took a job since its last beat.
    public void took(String worker) {
        slots(worker, -1);
    }

    /// A worker gave a slot back since its last beat.
    public void freed(String worker) {
        slots(worker, 1);
    }

    /// A guess until the next beat says how it is.
    private synchronized void slots(String worker, int freed) {
        senders.computeIfPresent(worker, (_, seen) -> {
            var model = seen.model;
            return model == null ? seen : seen.serving(withFree(model, model.freeSlots() + freed));
        });
    }

    private static Beat.Model withFree(Beat.Model model, int free) {
        return new Beat.Model(
                model.name(),
                model.description(),
                model.contextLength(),
                model.slots(),
                Math.clamp(free, 0, model.slots()),
                model.abilities());
    }

    /// How many gateways live, this one included.
    public synchronized int gateways() {
        return 1
                + (int) senders.values().stream()
                        .filter(seen -> seen.gateway && alive(seen))
                        .count();
    }

    /// A worker said that it leaves: it is dead at once, and what it served stays known.
    public synchronized void left(String sender) {
        senders.computeIfPresent(sender, (_, seen) -> seen.at(ownBeats - deadAfterBeats));
    }

    /// How many of this gateway's beats have come back: its clock.
    public synchronized long ownBeats() {
        return ownBeats;
    }

    /// Whether a worker has been silent for too long. One that was never heard of is given the same time.
    public synchronized boolean dead(String worker) {
        var seen = senders.computeIfAbsent(worker, _ -> new Seen(ownBeats));
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
