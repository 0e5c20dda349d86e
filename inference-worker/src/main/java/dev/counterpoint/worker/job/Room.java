package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Turns;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.EngineHealth;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The places of this worker: slots of its engine, with context memory for a usual request each. Thread-safe.
final class Room {
    /// An engine gives memory back without telling us.
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Engine engine;
    private final int slots;
    private final long usualTokens;
    private final Turns turns;
    /// How many wait for a place.
    private final Map<Band, Integer> waiting = new EnumMap<>(Band.class);
    private boolean closed;
    private int taken;
    /// Of these, still on their way to the engine, so that it does not count them yet.
    private int beforeStart;
    /// Of these, without a token yet: most of what they will hold is not to be seen yet.
    private int beforeFirstToken;

    /// @param usualTokens context memory that must be free for one more request
    Room(Engine engine, long usualTokens, Turns turns) {
        this.engine = engine;
        this.usualTokens = usualTokens;
        this.turns = turns;
        slots = engine.describe().slots();
    }

    /// Waits until there is a place and it is this band's turn.
    ///
    /// @return null when that did not come to be in time
    synchronized @Nullable Place await(Band band, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        waiting.merge(band, 1, Integer::sum);
        try {
            while (free() == 0 || turns.next(waiting.keySet()) != band) {
                long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                if (left <= 0) {
                    return null;
                }
                wait(Math.min(left, LOOK_AGAIN_MILLIS));
            }
            return new Place(band);
        } finally {
            waiting.computeIfPresent(band, (_, others) -> others == 1 ? null : others - 1);
            notifyAll();
        }
    }

    /// A place for a job that came unasked, if there is one.
    synchronized @Nullable Place take(Band band) {
        return free() == 0 ? null : new Place(band);
    }

    /// How many more jobs would be taken now.
    synchronized int free() {
        var health = engine.health();
        if (closed || health.status() != EngineHealth.Status.READY) {
            return 0;
        }
        int bySlots = Math.min(slots - taken, health.freeSlots() - beforeStart);
        // What is alone always fits: nothing that it could wait for gives memory back.
        long byMemory = taken == 0 ? slots : health.freeTokens() / usualTokens - beforeFirstToken;
        return (int) Math.max(0, Math.min(bySlots, byMemory));
    }

    /// There is no place any more.
    synchronized void close() {
        closed = true;
    }

    synchronized int taken() {
        return taken;
    }

    /// Waits until every place has been given back.
    synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (taken > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /// One job's place, from before it is taken from the queue until it has ended.
    final class Place implements AutoCloseable {
        private boolean started;
        private boolean saidSomething;
        private boolean closed;

        private Place(Band band) {
            turns.took(band);
            taken++;
            beforeStart++;
            beforeFirstToken++;
        }

        /// The engine counts it from now on.
        void started() {
            synchronized (Room.this) {
                if (!started) {
                    started = true;
                    beforeStart--;
                    Room.this.notifyAll();
                }
            }
        }

        /// Its prompt is in the engine's memory.
        void firstToken() {
            synchronized (Room.this) {
                if (!saidSomething) {
                    saidSomething = true;
                    beforeFirstToken--;
                    Room.this.notifyAll();
                }
            }
        }

        /// Gives the place back. Idempotent.
        @Override
        public void close() {
            synchronized (Room.this) {
                if (!closed) {
                    started();
                    firstToken();
                    closed = true;
                    taken--;
                    Room.this.notifyAll();
                }
            }
        }
    }
}
