package dev.counterpoint.worker.attempt;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.worker.draft.DraftSlot;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Permits to run one more job: each stands for a slot of the engine with context memory for a usual request.
/// Drafts get only spare permits. Thread-safe.
public final class CapacityGate {
    /// An engine frees memory without a notification.
    private static final long LOOK_AGAIN_MILLIS = 50;
    /// One slot of so many is kept from drafts.
    private static final int KEPT_FROM_DRAFTS = 4;

    private final Engine engine;
    private final LongSupplier usualTokens;
    /// Permits held, by stage.
    private final int[] held = new int[Stage.values().length];
    private boolean closed;

    /// The stage that the job of a permit has reached.
    private enum Stage {
        /// The engine does not count the job yet.
        ON_ITS_WAY,
        /// The engine does not show yet most of the memory that the job will hold.
        WITHOUT_TOKEN,
        GENERATING,
        RETURNED
    }

    /// @param usualTokens context memory that must be free for one more request, now
    public CapacityGate(Engine engine, LongSupplier usualTokens) {
        this.engine = engine;
        this.usualTokens = usualTokens;
    }

    /// Waits for a permit.
    ///
    /// @return null when none came in time
    public synchronized @Nullable Permit tryAcquire(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (availablePermits() == 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return null;
            }
            wait(Math.min(left, LOOK_AGAIN_MILLIS));
        }
        return new Permit();
    }

    /// A permit for a draft; null unless a quarter of the slots, and one at least, stay free.
    public synchronized @Nullable Permit tryAcquireSpare() {
        int kept = Math.ceilDiv(engine.describe().slots(), KEPT_FROM_DRAFTS);
        return availablePermits() > kept ? new Permit() : null;
    }

    /// The number of jobs that would be taken now.
    public synchronized int availablePermits() {
        if (closed || engine.health().status() != EngineHealth.Status.READY) {
            return 0;
        }
        var health = engine.health();
        int slots = engine.describe().slots();
        int onTheirWay = held[Stage.ON_ITS_WAY.ordinal()];
        int withoutToken = onTheirWay + held[Stage.WITHOUT_TOKEN.ordinal()];
        int bySlots = Math.min(slots - heldPermits(), health.freeSlots() - onTheirWay);
        // A lone job always fits: no other job could free memory for it.
        long byMemory = heldPermits() == 0 ? slots : health.freeTokens() / usualTokens.getAsLong() - withoutToken;
        return (int) Math.max(0, Math.min(bySlots, byMemory));
    }

    /// Gives out no permit any more.
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    public synchronized int heldPermits() {
        return held[Stage.ON_ITS_WAY.ordinal()]
                + held[Stage.WITHOUT_TOKEN.ordinal()]
                + held[Stage.GENERATING.ordinal()];
    }

    /// Waits until every permit has been given back.
    public synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (heldPermits() > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /// The permit of one job or draft, from before it is taken until it has ended.
    public final class Permit implements DraftSlot {
        private Stage stage = Stage.ON_ITS_WAY;

        private Permit() {
            held[stage.ordinal()]++;
        }

        /// The engine counts the job from now on.
        @Override
        public void started() {
            advance(Stage.WITHOUT_TOKEN);
        }

        /// The job's prompt is in the engine's memory.
        @Override
        public void firstToken() {
            advance(Stage.GENERATING);
        }

        /// A permit for the next attempt of the same job, which begins when this one's has ended.
        public Permit next() {
            synchronized (CapacityGate.this) {
                return new Permit();
            }
        }

        /// Gives the permit back. Idempotent.
        @Override
        public void close() {
            advance(Stage.RETURNED);
        }

        private void advance(Stage to) {
            synchronized (CapacityGate.this) {
                if (stage.compareTo(to) < 0) {
                    held[stage.ordinal()]--;
                    held[to.ordinal()]++;
                    stage = to;
                    CapacityGate.this.notifyAll();
                }
            }
        }
    }
}
