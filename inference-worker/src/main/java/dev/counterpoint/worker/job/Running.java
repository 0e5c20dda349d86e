package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Control;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The attempts that this worker runs now, one slot each. Thread-safe.
final class Running {
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    private final int total;
    private final Semaphore slots;

    Running(int slots) {
        total = slots;
        this.slots = new Semaphore(slots);
    }

    /// Waits for a free slot; leaves it free.
    boolean awaitFreeSlot(Duration atMost) throws InterruptedException {
        boolean free = slots.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (free) {
            slots.release();
        }
        return free;
    }

    int free() {
        return slots.availablePermits();
    }

    /// Runs an attempt on a thread of its own. Only one thread starts attempts, so a slot that was free still is.
    void start(Attempt attempt) {
        slots.acquireUninterruptibly();
        attempts.add(attempt);
        Thread.ofVirtual().name("attempt-" + attempt.ticket().response()).start(() -> {
            try {
                attempt.run();
            } finally {
                attempts.remove(attempt);
                slots.release();
            }
        });
    }

    /// Stops what the log goes on without.
    void obey(Control control) {
        for (var attempt : attempts) {
            var ticket = attempt.ticket();
            if (ticket.response().equals(control.response()) && ticket.attempt() < control.stopBefore()) {
                attempt.stop();
            }
        }
    }

    /// Gives every attempt up, so that others go on with them.
    void giveUpAll() {
        attempts.forEach(Attempt::giveUp);
    }

    /// Waits until every slot is free.
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        boolean idle = slots.tryAcquire(total, atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (idle) {
            slots.release(total);
        }
        return idle;
    }
}
