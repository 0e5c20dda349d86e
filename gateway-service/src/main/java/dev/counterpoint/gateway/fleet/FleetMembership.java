package dev.counterpoint.gateway.fleet;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.gateway.fleet.Seen.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The services that live and the models they serve, as their heartbeats tell. Time is counted in this gateway's
/// own beats as they come back, so that a slow bus or a slow reader makes nobody look dead. Thread-safe; pure but
/// for its memory.
///
/// These services are dead, and not just silent:
/// * a worker that was not heard for `deadAfterBeats`, as a rule;
/// * one that fell silent together with most of the others only after five times that: many at once mean the bus;
/// * nobody while no worker serves its model: then nobody could go on in its stead. From the first one that is heard
///   again, the silent ones get `deadAfterBeats` more, because the bus may bring them back one after the other. So
///   what ran on an only worker goes on when that one comes back or another one comes;
/// * a worker that said that it leaves, at once.
public final class FleetMembership implements Fleet {
    private static final int FORGET_AFTER_BEATS = 7_200;
    private static final int MANY_SILENT_PATIENCE = 5;
    private static final int LATE_AFTER_BEATS = 2;
    /// Whatever is said in beats, the list of models stays small.
    private static final int SENDERS_MAX = 4_096;

    private final String self;
    private final int deadAfterBeats;
    private final Duration beatInterval;
    private final Map<String, Seen> senders = new HashMap<>();
    /// Our beat at which a model was served again, after nobody had.
    private final Map<String, Long> servedSince = new HashMap<>();
    private long ownBeats;
    /// Null when they have to be made anew.
    private @Nullable Sums sums;

    /// What the living have together. Most beats change only free slots, so it is kept and not made at each.
    ///
    /// @param models by name
    private record Sums(NavigableMap<String, Heartbeat.Model> models, int gateways, int frameFormat) {
        void addFree(String name, int free) {
            models.computeIfPresent(name, (_, model) -> Seen.withFree(model, model.freeSlots() + free));
        }
    }

    /// @param self sender of this gateway's own beats
    /// @param deadAfterBeats own beats without one of a worker after which it is silent
    /// @param beatInterval time between own beats
    public FleetMembership(String self, int deadAfterBeats, Duration beatInterval) {
        this.self = self;
        this.deadAfterBeats = deadAfterBeats;
        this.beatInterval = beatInterval;
    }

    /// Sender of this gateway's own beats.
    public String self() {
        return self;
    }

    /// Takes the next beat of the topic.
    public synchronized void accept(Heartbeat beat) {
        if (beat.sender().equals(self)) {
            ownBeats++;
            sums = null;
            senders.values().removeIf(seen -> ownBeats - seen.atBeat() > FORGET_AFTER_BEATS);
            return;
        }
        if (senders.size() >= SENDERS_MAX && !senders.containsKey(beat.sender()) && !forgetOneThatIsGone()) {
            return;
        }
        var model = beat.model();
        if (model != null && !served(model.name())) {
            servedSince.put(model.name(), ownBeats);
        }
        var before = senders.get(beat.sender());
        var now = Seen.of(beat, before, ownBeats, beatInterval);
        senders.put(beat.sender(), now);
        sum(before, now);
    }

    private void sum(@Nullable Seen before, Seen now) {
        if (before == null
                || !alive(before)
                || !heardSinceStart(before)
                || !before.kind().steady().equals(now.kind().steady())) {
            sums = null;
        } else if (sums != null && now.kind() instanceof Kind.Worker(var model, var _)) {
            sums.addFree(model.name(), model.freeSlots() - before.freeSlots());
        }
    }

    /// Every start of a service is a sender of its own, so those that left or died make room.
    ///
    /// @return false when all live
    private boolean forgetOneThatIsGone() {
        var gone = senders.entrySet().stream()
                .filter(sender -> !alive(sender.getValue()))
                .min(Comparator.comparingLong(sender -> sender.getValue().atBeat()));
        gone.ifPresent(sender -> senders.remove(sender.getKey()));
        sums = null;
        return gone.isPresent();
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
            var guess = seen.freed(freed);
            sum(seen, guess);
            return guess;
        });
    }

    /// The model that a worker serves; empty for one that was not heard.
    public synchronized Optional<String> modelOf(String worker) {
        return Optional.ofNullable(senders.get(worker)).map(Seen::model).map(Heartbeat.Model::name);
    }

    /// The number of gateways that live, this one included.
    public synchronized int gateways() {
        return sums().gateways;
    }

    private Sums sums() {
        var kept = sums;
        if (kept == null) {
            kept = new Sums(modelsTogether(), 1 + otherGateways(), oldestFormat());
            sums = kept;
        }
        return kept;
    }

    /// The newest format of frames that all services read: a format that one of them does not know is void for it, so
    /// the silent ones count for long, and the first format holds while this gateway has not listened for as long.
    public synchronized int frameFormat() {
        return sums().frameFormat;
    }

    private int oldestFormat() {
        long patience = (long) MANY_SILENT_PATIENCE * deadAfterBeats;
        return ownBeats < patience
                ? 1
                : senders.values().stream()
                        .filter(seen -> !seen.left() && ownBeats - seen.atBeat() < patience)
                        .mapToInt(Seen::frameFormat)
                        .min()
                        .orElse(Frame.NEWEST_FORMAT);
    }

    private int otherGateways() {
        return (int) senders.values().stream()
                .filter(seen -> seen.kind() instanceof Kind.Gateway && alive(seen))
                .count();
    }

    @Override
    public synchronized Optional<Set<String>> livingGateways() {
        long patience = (long) MANY_SILENT_PATIENCE * deadAfterBeats;
        if (ownBeats < patience) {
            return Optional.empty();
        }
        var living = senders.entrySet().stream()
                .filter(sender -> sender.getValue().kind() instanceof Kind.Gateway
                        && !sender.getValue().left()
                        && ownBeats - sender.getValue().atBeat() < patience)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(HashSet::new));
        living.add(self);
        return Optional.of(living);
    }

    /// A service said that it leaves: it is dead at once, and what it served stays known.
    public synchronized void left(String sender) {
        senders.computeIfPresent(sender, (_, seen) -> seen.gone(ownBeats - deadAfterBeats));
        sums = null;
    }

    /// The number of this gateway's heartbeats that have come back. It is this gateway's clock.
    public synchronized long ownBeats() {
        return ownBeats;
    }

    /// True when a worker is dead, by the rules above. A worker that was never heard of is silent from the first
    /// question for it.
    public synchronized boolean dead(String worker) {
        var seen = seen(worker);
        if (seen.left() || alive(seen)) {
            return seen.left();
        }
        var model = seen.model();
        long since = seen.atBeat();
        if (model != null) {
            if (!served(model.name())) {
                return false;
            }
            since = Math.max(since, Objects.requireNonNullElse(servedSince.get(model.name()), since));
        }
        return (ownBeats - since) / seen.stride()
                >= (manySilent() ? MANY_SILENT_PATIENCE * deadAfterBeats : deadAfterBeats);
    }

    /// The number of own beats since a sender was last heard: [Long#MAX_VALUE] for one that left. The silence of a
    /// sender that was never heard of counts from the first question for it.
    public synchronized long silence(String sender) {
        var seen = seen(sender);
        return seen.left() ? Long.MAX_VALUE : ownBeats - seen.atBeat();
    }

    private Seen seen(String sender) {
        return senders.computeIfAbsent(sender, _ -> Seen.unheard(ownBeats));
    }

    private boolean alive(Seen seen) {
        return !seen.left() && seen.missed(ownBeats) < deadAfterBeats;
    }

    /// A heartbeat from before this gateway's first one may be hours old, and its worker gone.
    private boolean heardSinceStart(Seen seen) {
        return seen.atBeat() > 0 || ownBeats == 0;
    }

    private boolean served(String model) {
        return senders.values().stream().anyMatch(seen -> seen.serves(model) && alive(seen));
    }

    /// True when most of the workers that were there a moment ago say nothing.
    private boolean manySilent() {
        var recent = recentWorkers();
        long silent = recent.stream().filter(seen -> !alive(seen)).count();
        return silent > 1 && 2 * silent > recent.size();
    }

    /// True when beats of half of the workers are late, so that it may be the bus.
    public synchronized boolean manyLate() {
        var recent = recentWorkers();
        long late = recent.stream()
                .filter(seen -> seen.missed(ownBeats) >= LATE_AFTER_BEATS)
                .count();
        return late > 1 && 2 * late >= recent.size();
    }

    /// Those whose last beat was there before our first one do not count: nobody knows how old it is.
    private List<Seen> recentWorkers() {
        long patience = (long) MANY_SILENT_PATIENCE * deadAfterBeats;
        return senders.values().stream()
                .filter(seen -> seen.kind() instanceof Kind.Worker && !seen.left())
                .filter(seen -> seen.atBeat() > 0 && ownBeats - seen.atBeat() < patience)
                .toList();
    }

    /// The live workers of a model that have an inbox.
    public synchronized List<InboxWorker> inboxes(String model) {
        var found = new ArrayList<InboxWorker>();
        senders.forEach((name, seen) -> {
            if (seen.kind() instanceof Kind.Worker(var served, var taken)
                    && !taken.isEmpty()
                    && seen.serves(model)
                    && heardSinceStart(seen)
                    && alive(seen)) {
                found.add(new InboxWorker(name, served.slots(), served.freeSlots(), taken, seen.beats()));
            }
        });
        return found;
    }

    /// The workers that were heard since this gateway's start, sorted by model and name.
    public synchronized List<WorkerStatus> workers() {
        var found = new ArrayList<WorkerStatus>();
        senders.forEach((name, seen) -> {
            if (seen.kind() instanceof Kind.Worker(var model, var _) && (seen.left() || heardSinceStart(seen))) {
                // One that left counts as silent for long from that moment on.
                long before = seen.left() ? deadAfterBeats : 0;
                var silence = beatInterval.multipliedBy(ownBeats - before - seen.atBeat());
                found.add(new WorkerStatus(name, model, state(name, seen, model), silence));
            }
        });
        found.sort(Comparator.comparing((WorkerStatus worker) -> worker.model().name())
                .thenComparing(WorkerStatus::id));
        return found;
    }

    private WorkerStatus.State state(String worker, Seen seen, Heartbeat.Model model) {
        if (seen.left()) {
            return WorkerStatus.State.LEFT;
        }
        if (alive(seen)) {
            return model.slots() > 0 ? WorkerStatus.State.READY : WorkerStatus.State.WITHOUT_SLOTS;
        }
        return dead(worker) ? WorkerStatus.State.DEAD : WorkerStatus.State.SILENT;
    }

    /// True when at least one service of this role lives.
    public synchronized boolean lives(ServiceRole role) {
        return senders.values().stream().anyMatch(seen -> seen.is(role) && alive(seen));
    }

    @Override
    public synchronized Duration lag(ServiceRole role) {
        long beats = beatInterval.toMillis();
        return Duration.ofMillis(senders.values().stream()
                .filter(seen -> seen.is(role))
                .mapToLong(seen -> seen.lagMillis() + (ownBeats - seen.atBeat()) * beats)
                .min()
                .orElse(ownBeats * beats));
    }

    @Override
    public synchronized List<Heartbeat.Model> models() {
        return List.copyOf(sums().models.values());
    }

    @Override
    public synchronized Optional<Heartbeat.Model> model(String name) {
        return Optional.ofNullable(sums().models.get(name));
    }

    /// A model whose workers all fell silent is offered for a while longer: a job for it waits in its queue, and
    /// one late heartbeat refuses nobody.
    private NavigableMap<String, Heartbeat.Model> modelsTogether() {
        long patience = (long) MANY_SILENT_PATIENCE * deadAfterBeats;
        var byName = new TreeMap<String, Heartbeat.Model>();
        for (var seen : senders.values()) {
            if (seen.kind() instanceof Kind.Worker(var model, var _)
                    && model.slots() > 0
                    && !seen.left()
                    && heardSinceStart(seen)
                    && (alive(seen) || ownBeats - seen.atBeat() < patience && !served(model.name()))) {
                byName.merge(model.name(), model, FleetMembership::together);
            }
        }
        return byName;
    }

    private static Heartbeat.Model together(Heartbeat.Model a, Heartbeat.Model b) {
        return new Heartbeat.Model(
                a.name(),
                a.description(),
                Math.min(a.contextLength(), b.contextLength()),
                a.slots() + b.slots(),
                a.freeSlots() + b.freeSlots(),
                a.abilities().stream().filter(b.abilities()::contains).toList());
    }

    @Override
    public synchronized boolean mayExist(String name) {
        return ownBeats < deadAfterBeats
                || senders.values().stream().anyMatch(seen -> seen.serves(name))
                || senders.values().stream().noneMatch(seen -> seen.kind() instanceof Kind.Worker && alive(seen));
    }
}
