package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Control;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The attempts that this worker runs now. Thread-safe.
final class Running {
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    private volatile boolean givenUp;

    /// Runs an attempt on a thread of its own, and gives its place back when it has ended.
    void start(Attempt attempt) {
        attempts.add(attempt);
        if (givenUp) {
            attempt.giveUp();
        }
        Thread.ofVirtual().name("attempt-" + attempt.ticket().response()).start(() -> {
            try (var _ = attempt.place()) {
                attempt.run();
            } finally {
                attempts.remove(attempt);
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

    /// Gives every attempt up, those that still come too, so that others go on with them.
    void giveUpAll() {
        givenUp = true;
        attempts.forEach(Attempt::giveUp);
    }
}
