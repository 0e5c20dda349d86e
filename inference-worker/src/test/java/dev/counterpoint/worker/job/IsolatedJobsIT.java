package dev.counterpoint.worker.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// C1: workers and jobs that nothing may run beside, over a real broker.
class IsolatedJobsIT {
    private static final String QUESTION = "Count from 1 to 40.";

    @TempDir
    Path keysDir;

    private String isolation = "idle";
    private TestWorkers workers;
    private TestGateway gateway;

    @BeforeEach
    void keysAndGateway() throws Exception {
        workers = new TestWorkers(keysDir);
        gateway = workers.gateway;
    }

    @AfterEach
    void stopAll() throws Exception {
        workers.stop();
    }

    @Test
    void c1AnIsolatedJobRunsWithNothingBesideIt() throws Exception {
        // Given a worker with slots to spare, one of them in use
        startWorker(Duration.ofMillis(5));
        var before = queued("Count from 1 to 4000.");
        gateway.read(before, frame -> frame.kind() == FrameKind.DELTA);
        // When
        var isolated = gateway.accept(QUESTION);
        gateway.queueIsolated(isolated);
        awaitNoFreeSlot();
        var after = queued(QUESTION);
        long cancelledAt = cancel(before);
        // Then
        var alone = gateway.read(isolated, frame -> frame.kind() == FrameKind.END);
        var shared = gateway.read(after, frame -> frame.kind() == FrameKind.END);
        assertThat(alone.fencedAtOffset).isGreaterThan(cancelledAt);
        assertThat(shared.fencedAtOffset)
                .as("taken after the isolated one, which came first, has ended")
                .isGreaterThan(alone.lastOffset);
        assertThat(alone.text()).contains("40");
    }

    private void awaitNoFreeSlot() throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (workers.registry.get("counterpoint.worker.free.slots").gauge().value() > 0) {
            assertThat(System.nanoTime()).isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void c1AWorkerForIsolatedJobsTakesNothingElse() throws Exception {
        // Given
        isolation = "only";
        startWorker(Duration.ofMillis(1));
        isolation = "never";
        var other = startWorker(Duration.ofMillis(1));
        var isolated = gateway.accept(QUESTION);
        gateway.queueIsolated(isolated);
        // Then
        assertThat(gateway.read(isolated, frame -> frame.kind() == FrameKind.END)
                        .text())
                .contains("40");

        // When the one for all other jobs is gone
        var usual = queued(QUESTION);
        gateway.read(usual, frame -> frame.kind() == FrameKind.END);
        other.stop();
        workers.forget(other);
        var left = queued(QUESTION);
        var next = gateway.accept(QUESTION);
        gateway.queueIsolated(next);
        var read = gateway.read(next, frame -> frame.kind() == FrameKind.END);
        assertThat(read.text()).contains("40");
        isolation = "idle";
        startWorker(Duration.ofMillis(1));
        // Then
        assertThat(gateway.read(left, frame -> frame.kind() == FrameKind.END).fencedAtOffset)
                .isGreaterThan(read.lastOffset);
    }

    private JobTicket queued(String question) throws Exception {
        var ticket = gateway.accept(question);
        gateway.queue(ticket);
        return ticket;
    }

    /// @return the offset of the cancel
    private long cancel(JobTicket ticket) throws Exception {
        long offset = gateway.append(Frame.decision(
                ticket.response(), 1, FrameKind.OWNER_END, new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode()));
        gateway.stop(ticket);
        return offset;
    }

    private Worker startWorker(Duration perToken) {
        var engine = new SimulatedEngine(workers.options(perToken).withSlots(8));
        return workers.start(engine, Map.of("worker.isolation", isolation), () -> {});
    }
}
