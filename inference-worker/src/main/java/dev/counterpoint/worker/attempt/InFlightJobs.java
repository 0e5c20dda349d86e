package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.servicekit.LogField;
import dev.counterpoint.worker.attempt.AttemptState.Order;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The jobs that this worker takes or runs now. Thread-safe.
public final class InFlightJobs {
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private volatile boolean handingOver;

    /// From now on orders about the job are heeded. A worker claims a job before it appends its fence: orders of
    /// before the fence stand in the log that is read up to the fence.
    public Claim claim(JobTicket ticket) {
        var claim = new Claim(ticket);
        claims.add(claim);
        if (handingOver) {
            claim.tell(Order.HAND_OVER);
        }
        return claim;
    }

    /// Stops the attempts without which the log goes on.
    public void obey(StopCommand control) {
        for (var claim : claims) {
            var ticket = claim.ticket;
            if (ticket.response().equals(control.response()) && ticket.attempt() < control.stopBefore()) {
                claim.tell(Order.STOP);
            } else if (ticket.response().equals(control.response()) && control.steered()) {
                claim.steer();
            }
        }
    }

    /// Hands over every job, including jobs claimed later, so that other workers continue them.
    public void handOverAll() {
        handingOver = true;
        claims.forEach(claim -> claim.tell(Order.HAND_OVER));
    }

    /// Looks at every attempt, some times a second.
    public void tick() {
        attempts().forEach(Attempt::tick);
    }

    public List<Attempt> attempts() {
        return claims.stream().map(Claim::attempt).filter(Objects::nonNull).toList();
    }

    public int claimed() {
        return claims.size();
    }

    /// One job, from before its fence until its attempt has ended.
    public final class Claim implements AutoCloseable {
        private final JobTicket ticket;
        private Stage stage = new Stage.Fencing(Order.GO_ON);
        private final CountDownLatch ended = new CountDownLatch(1);

        private sealed interface Stage {
            /// There is no attempt yet; the order waits for it.
            record Fencing(Order order) implements Stage {}

            record Running(Attempt attempt) implements Stage {}
        }

        private Claim(JobTicket ticket) {
            this.ticket = ticket;
        }

        private synchronized void tell(Order order) {
            switch (stage) {
                case Stage.Fencing(Order before) -> stage = new Stage.Fencing(before.atLeast(order));
                case Stage.Running(Attempt attempt) -> attempt.tell(order);
            }
        }

        private synchronized @Nullable Attempt attempt() {
            return stage instanceof Stage.Running(Attempt attempt) ? attempt : null;
        }

        private synchronized void run(Attempt attempt) {
            if (!(stage instanceof Stage.Fencing(Order order))) {
                throw new IllegalStateException("a job was started twice");
            }
            attempt.tell(order);
            stage = new Stage.Running(attempt);
        }

        /// Runs the attempt on its own thread and returns its permit when the attempt has ended.
        public void start(Attempt attempt) {
            run(attempt);
            Thread.ofVirtual().name("attempt-" + ticket.response()).start(() -> {
                LogField.RESPONSE_ID.put(ticket.response().toString());
                try (var _ = attempt.permit();
                        var _ = attempt.spans().enter()) {
                    attempt.run();
                } finally {
                    claims.remove(this);
                    ended.countDown();
                }
            });
        }

        /// The log goes on without the attempt: stops it, if one was started.
        public void stop() {
            tell(Order.STOP);
        }

        /// The log holds a steer: ends the attempt, if one was started or will be.
        public void steer() {
            tell(Order.STEER);
        }

        /// True once the gateway said that the log continues without the attempt.
        public synchronized boolean stopped() {
            var order = switch (stage) {
                case Stage.Fencing(Order before) -> before;
                case Stage.Running(Attempt attempt) -> attempt.state().order();
            };
            return order == Order.STOP;
        }

        /// Waits for the end of the attempt, if one was started.
        public void awaitEnd() throws InterruptedException {
            if (attempt() != null) {
                ended.await();
            }
        }

        /// Forgets a job of which no attempt was started.
        @Override
        public void close() {
            if (attempt() == null) {
                claims.remove(this);
            }
        }
    }
}
