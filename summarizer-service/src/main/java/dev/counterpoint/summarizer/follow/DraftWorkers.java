package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.seal.BeatVerifier;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/// The workers that announce drafts in their heartbeats, and the choice of the next one. A worker that missed four
/// beats gets no request. Thread-safe.
final class DraftWorkers {
    private static final int BEATS_MISSED_MAX = 4;
    /// The longest accepted interval between beats, whatever a worker announces.
    private static final long INTERVAL_MILLIS_MAX = 2_000;

    private final BeatVerifier verifier;
    private final LongSupplier clockMillis;
    private final Map<String, Worker> workers = new HashMap<>();

    private static final class Worker {
        private final Heartbeat.Model model;
        private final List<InboxPartition> inbox;
        private final long untilMillis;
        /// Drafts that it was asked for since this beat.
        private int asked;

        private Worker(Heartbeat.Model model, Heartbeat beat, long nowMillis) {
            this.model = model;
            inbox = beat.inbox();
            untilMillis = nowMillis + BEATS_MISSED_MAX * Math.clamp(beat.intervalMillis(), 1, INTERVAL_MILLIS_MAX);
        }

        private int free() {
            return model.freeSlots() - asked;
        }

        private int ask() {
            asked++;
            return inbox.get(ThreadLocalRandom.current().nextInt(inbox.size())).partition();
        }
    }

    /// @param clockMillis goes forward only
    DraftWorkers(KeyRing keys, LongSupplier clockMillis) {
        verifier = new BeatVerifier(keys);
        this.clockMillis = clockMillis;
    }

    /// Reads the next heartbeat of any service. For the thread that calls [#accept].
    ///
    /// @return that of a worker that writes drafts
    Optional<BeatVerifier.Heard> verified(byte[] record) {
        return writesDrafts(record) ? verifier.verify(record, System.currentTimeMillis()) : Optional.empty();
    }

    synchronized void accept(BeatVerifier.Heard news) {
        long now = clockMillis.getAsLong();
        workers.values().removeIf(worker -> worker.untilMillis < now);
        var beat = news.beat();
        if (beat.model() == null || news.leaves() || beat.inbox().isEmpty()) {
            workers.remove(beat.sender());
        } else {
            workers.put(beat.sender(), new Worker(beat.model(), beat, now));
        }
    }

    /// Summarizers cannot verify the beats of other services.
    private static boolean writesDrafts(byte[] record) {
        try {
            var model = Heartbeat.decode(record).model();
            return model != null && model.abilities().contains(DraftRequest.ABILITY);
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    /// True if a worker of the model writes drafts.
    synchronized boolean anyOf(String model) {
        return !living(model).isEmpty();
    }

    /// A partition of the inbox of the worker with the most free slots, by chance among equal ones; empty when none is
    /// free. The worker counts as asked.
    synchronized Optional<Integer> choose(String model) {
        var living = new ArrayList<>(living(model));
        Collections.shuffle(living);
        return living.stream()
                .filter(worker -> worker.free() > 0)
                .max(Comparator.comparingInt(Worker::free))
                .map(Worker::ask);
    }

    private List<Worker> living(String model) {
        long now = clockMillis.getAsLong();
        return workers.values().stream()
                .filter(worker -> worker.model.name().equals(model) && worker.untilMillis >= now)
                .toList();
    }

    /// Forgets all workers until their next heartbeats.
    synchronized void forget() {
        workers.clear();
    }
}
