package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker between a real broker and the simulated engine.
class WorkerIT {
    private static final String QUESTION = "Count from 1 to 40.";

    @TempDir
    Path keysDir;

    private @Nullable Integer hangAfterTokens;
    private final List<SimulatedEngine> engines = new ArrayList<>();
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
    void answersAJobAndEndsItOnce() throws Exception {
        startWorker(Duration.ofMillis(1));
        gateway.band = Topic.Band.HIGH;
        var ticket = gateway.accept(QUESTION);

        gateway.queue(ticket);
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.END);

        assertThat(workers.registry
                        .get("counterpoint.worker.queue.wait")
                        .tag("band", "high")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(answer.text()).contains("1").contains("40");
        assertThat(answer.end().finish()).isEqualTo(End.Finish.STOP);
        assertThat(answer.end().outputTokens()).isGreaterThan(answer.end().reasoningTokens());
        assertThat(answer.end().reasoningTokens()).isPositive();
    }

    @Test
    void runsADuplicateOfAJobOnce() throws Exception {
        startWorker(Duration.ofMillis(1));
        var ticket = gateway.accept(QUESTION);

        gateway.queue(ticket);
        gateway.queue(ticket);
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.END);

        assertThat(answer.frames)
                .filteredOn(frame -> frame.kind() == FrameKind.FENCE)
                .hasSize(1);
    }

    @Test
    void goesOnFromWhatAnotherAttemptLeft() throws Exception {
        startWorker(Duration.ofMillis(20));
        var whole = gateway.accept(QUESTION);
        gateway.queue(whole);
        var expected =
                gateway.read(whole, frame -> frame.kind() == FrameKind.END).text();
        var ticket = gateway.accept(QUESTION);
        gateway.queue(ticket);
        gateway.read(ticket, frame -> frame.kind() == FrameKind.DELTA && frame.seq() == 60);

        gateway.append(Frame.decision(ticket.response(), 2, FrameKind.REISSUE, new byte[0]));
        gateway.queue(TestGateway.forAttempt(ticket, 2));
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.END);

        assertThat(answer.text()).isEqualTo(expected);
        assertThat(answer.frames)
                .filteredOn(frame -> frame.kind() == FrameKind.FENCE)
                .hasSize(2);
    }

    @Test
    void handsOverWhatItRunsWhenItIsStopped() throws Exception {
        var first = startWorker(Duration.ofMillis(20));
        var ticket = gateway.accept(QUESTION);
        gateway.queue(ticket);
        gateway.read(ticket, frame -> frame.kind() == FrameKind.DELTA && frame.seq() == 10);

        first.stop();
        workers.forget(first);
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.HANDOVER);

        assertThat(answer.frames).noneMatch(frame -> frame.kind() == FrameKind.END);
    }

    @Test
    void stopsTheEngineWhenTheResponseWasCancelled() throws Exception {
        var worker = startWorker(Duration.ofMillis(20));
        var ticket = queued("Count from 1 to 400.");
        gateway.read(ticket, frame -> frame.kind() == FrameKind.DELTA && frame.seq() == 5);

        cancel(ticket);

        assertThat(worker.becomesIdle(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void aCancelFindsItsJobWhereverThatIs() throws Exception {
        // Given jobs that would last for minutes
        var worker = startWorker(Duration.ofMillis(200));
        var random = new Random(7);
        gateway.read(queued("Count from 1 to 2."), frame -> frame.kind() == FrameKind.END);
        // When each is cancelled somewhere between its queue and its first tokens
        for (int number = 0; number < 40; number++) {
            var ticket = queued("Count from 1 to 400.");
            TimeUnit.MICROSECONDS.sleep(random.nextInt(25_000));
            cancel(ticket);
        }
        // Then
        assertThat(worker.becomesIdle(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aCancelFindsAnAttemptThatResumesWhereverThatIs() throws Exception {
        // Given
        var worker = startWorker(Duration.ofMillis(20));
        var random = new Random(11);
        // When each is cancelled somewhere between its re-issue and the first tokens of its second attempt
        for (int number = 0; number < 15; number++) {
            var ticket = queued("Count from 1 to 4000.");
            gateway.read(ticket, frame -> frame.kind() == FrameKind.DELTA);
            gateway.append(Frame.decision(ticket.response(), 2, FrameKind.REISSUE, new byte[0]));
            gateway.queue(TestGateway.forAttempt(ticket, 2));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(25_000));
            cancel(ticket);
        }
        // Then
        assertThat(worker.becomesIdle(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void whatIsTakenWhileTheWorkerStopsIsHandedOverOrLeftToOthers() throws Exception {
        // Given
        var first = startWorker(Duration.ofMillis(5));
        gateway.read(queued("Count from 1 to 2."), frame -> frame.kind() == FrameKind.END);
        var second = startWorker(Duration.ofMillis(5));
        // When
        var tickets = new ArrayList<JobTicket>();
        for (int number = 0; number < 12; number++) {
            tickets.add(queued(QUESTION));
        }
        first.stop();
        workers.forget(first);
        // Then
        assertThat(first.ready()).isFalse();
        for (var ticket : tickets) {
            var answer =
                    gateway.read(ticket, frame -> frame.kind() == FrameKind.END || frame.kind() == FrameKind.HANDOVER);
            if (answer.frames.getLast().kind() == FrameKind.HANDOVER) {
                gateway.append(Frame.decision(ticket.response(), 2, FrameKind.REISSUE, new byte[0]));
                gateway.queue(TestGateway.forAttempt(ticket, 2));
            }
            assertThat(gateway.read(ticket, frame -> frame.kind() == FrameKind.END)
                            .text())
                    .contains("40");
        }
        assertThat(second.ready()).isTrue();
    }

    private JobTicket queued(String question) throws Exception {
        var ticket = gateway.accept(question);
        gateway.queue(ticket);
        return ticket;
    }

    @Test
    void aWorkerWhoseEngineHangsHandsOverAndEndsItsProcess() throws Exception {
        // Given
        var ends = new CountDownLatch(1);
        hangAfterTokens = 20;
        var worker = startWorker(Duration.ofMillis(1), ends::countDown);
        var ticket = queued(QUESTION);
        // When
        assertThat(ends.await(60, TimeUnit.SECONDS)).isTrue();
        // Then
        assertThat(worker.engineFailed()).isTrue();
        assertThat(worker.ready()).isFalse();
        worker.stop();
        workers.forget(worker);
        gateway.read(ticket, frame -> frame.kind() == FrameKind.HANDOVER);
    }

    private void cancel(JobTicket ticket) throws Exception {
        gateway.append(Frame.decision(
                ticket.response(), 1, FrameKind.OWNER_END, new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode()));
        gateway.stop(ticket);
    }

    @Test
    void aWorkerWhoseEngineBrokeTakesNothingAndEndsItsProcess() throws Exception {
        // Given
        var ends = new CountDownLatch(1);
        var worker = startWorker(Duration.ofMillis(1), ends::countDown);
        // When
        engines.getLast().close();
        // Then
        assertThat(ends.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(worker.engineFailed()).isTrue();

        // When
        var ticket = gateway.accept(QUESTION);
        gateway.queue(ticket);
        worker.stop();
        workers.forget(worker);
        startWorker(Duration.ofMillis(1));
        // Then
        assertThat(gateway.read(ticket, frame -> frame.kind() == FrameKind.END).text())
                .contains("40");
    }

    @Test
    void saysThatAPromptIsTooLongForTheModel() throws Exception {
        startWorker(Duration.ofMillis(1));
        var ticket = gateway.accept("word ".repeat(5_000));

        gateway.queue(ticket);
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.END);

        assertThat(answer.end().finish()).isEqualTo(End.Finish.PROMPT_TOO_LONG);
    }

    @Test
    void theTraceOfAnOptedInResponseIsThereBeforeItsEnd() throws Exception {
        startWorker(Duration.ofMillis(1));
        var audited = gateway.accept(QUESTION, ServiceRole.AUDIT);
        var unreadable = gateway.acceptUnreadable(ServiceRole.AUDIT);
        var other = gateway.accept(QUESTION, ServiceRole.GATEWAY);

        for (var ticket : List.of(audited, unreadable, other)) {
            gateway.queue(ticket);
            gateway.read(ticket, frame -> frame.kind() == FrameKind.END);
        }

        assertThat(trace(audited).segments())
                .anySatisfy(segment -> assertThat(segment.text()).isNotEmpty());
        assertThat(trace(audited).finish()).isEqualTo(End.Finish.STOP);
        assertThat(trace(unreadable).finish()).isEqualTo(End.Finish.INVALID_PROMPT);
        assertThat(trace(unreadable).segments()).isEmpty();
        assertThat(gateway.traces(other)).isEmpty();
    }

    /// The one trace of a response, as the audit service opens it.
    private Trace trace(JobTicket ticket) {
        assertThat(gateway.traces(ticket)).hasSize(1);
        var whole = (TraceRecord.Whole) gateway.traces(ticket).getFirst().body();
        var context = Trace.context(TestGateway.TENANT, ticket.response());
        return Trace.decode(KeyRing.load(keysDir, ServiceRole.AUDIT).open(whole.sealedTrace(), context));
    }

    @Test
    void endsAResponseWhoseJobCannotBeRead() throws Exception {
        startWorker(Duration.ofMillis(1));
        var ticket = gateway.acceptUnreadable();

        gateway.queue(ticket);
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.END);

        assertThat(answer.end().finish()).isEqualTo(End.Finish.INVALID_PROMPT);
    }

    private Worker startWorker(Duration perToken) {
        return startWorker(perToken, () -> {});
    }

    private Worker startWorker(Duration perToken, Runnable end) {
        var engine = new SimulatedEngine(workers.options(perToken)
                .withSlots(8)
                .withFaults(new SimulatedOptions.Faults(hangAfterTokens, null, null)));
        engines.add(engine);
        return workers.start(engine, Map.of("worker.engine-silence", "2s"), end);
    }
}
