package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.job.JobTicket;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The jobs that this worker takes or runs now. Thread-safe.
final class Running {
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private volatile boolean givenUp;

    /// What is said about a job from now on is heeded. Before its fence: what was decided earlier, the log up to the
    /// fence tells.
    Claim claim(JobTicket ticket) {
        var claim = new Claim(ticket);
        claims.add(claim);
        return claim;
    }

    /// Stops what the log goes on without.
    void obey(Control control) {
        for (var claim : claims) {
            var ticket = claim.ticket;
            if (ticket.response().equals(control.response()) && ticket.attempt() < control.stopBefore()) {
                claim.stop();
            }
        }
    }

    /// Gives every attempt up, those that still come too, so that others go on with them.
    void giveUpAll() {
        givenUp = true;
        attempts().forEach(Attempt::giveUp);
    }

    /// The attempts under way.
    List<Attempt> attempts() {
        return claims.stream()
                .map(claim -> claim.attempt)
                .filter(Objects::nonNull)
                .toList();
    }

    /// One job, from before its fence until its attempt has ended.
    final class Claim implements AutoCloseable {
        private final JobTicket ticket;
        private boolean stopped;
        private volatile @Nullable Attempt attempt;

        private Claim(JobTicket ticket) {
            this.ticket = ticket;
        }

        private synchronized void stop() {
            stopped = true;
            var running = attempt;
            if (running != null) {
                running.stop();
            }
        }

        /// Runs the attempt on a thread of its own, and gives its place back when it has ended.
        void start(Attempt starting) {
            synchronized (this) {
                attempt = starting;
                if (stopped) {
                    starting.stop();
                }
            }
            if (givenUp) {
                starting.giveUp();
            }
            Thread.ofVirtual().name("attempt-" + ticket.response()).start(() -> {
                try (var _ = starting.place()) {
                    starting.run();
                } finally {
                    claims.remove(this);
                }
            });
        }

        /// Forgets a job of which no attempt was started.
        @Override
        public void close() {
            if (attempt == null) {
                claims.remove(this);
            }
        }
    }
}
