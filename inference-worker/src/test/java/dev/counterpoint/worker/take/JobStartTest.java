package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.worker.attempt.FrameSender;
import dev.counterpoint.worker.attempt.InFlightJobs;
import dev.counterpoint.worker.attempt.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a worker does with a ticket before and after its fence is read. The log is readable only when a test says so.
@Timeout(60)
class JobStartTest {
    private static final String MODEL = "model";
    private static final String TENANT = "tenant";
    private static final long OTHER = 77;
    private static final int SLOTS = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing gateway;

    private final MemoryBus bus = new MemoryBus();
    private final SimulatedEngine engine = new SimulatedEngine(SimulatedOptions.immediate(MODEL)
            .withTimes(Duration.ofMillis(1), Duration.ofMillis(1))
            .withSlots(SLOTS));
    private final Workbench bench = new Workbench(engine, keys);
    private final InFlightJobs jobs = new InFlightJobs();
    private final FrameSender sender = new FrameSender(
            bus,
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().factory()),
            () -> Duration.ZERO);
    private final LogReads reads = new LogReads(bus::reader);
    private final AttemptStarter starter =
            new AttemptStarter("worker-1", bench.context, new WorkerBus(sender, reads, Duration.ofMillis(300)), jobs);
    private JobTicket ticket = together("Count from 1 to 30.");

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
        gateway = KeyRing.load(folder, ServiceRole.GATEWAY);
    }

    @AfterEach
    void stopAll() {
        jobs.handOverAll();
        bus.readable();
        reads.close();
    }

    @Test
    void aNewTicketIsAnsweredBeforeItsFenceIsReadAndEndedAfter() throws Exception {
        // Given
        accept();
        take(true);
        await(() -> count(FrameKind.DELTA) > 0);
        TimeUnit.MILLISECONDS.sleep(200); // the answer is complete by then
        assertThat(kinds()).startsWith(FrameKind.ACCEPTED, FrameKind.FENCE).doesNotContain(FrameKind.END);
        // When
        bus.readable();
        // Then
        await(() -> count(FrameKind.END) == 1);
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Reluctance.class)
    void aTicketThatAnotherWorkerMayHaveIsReadFirst(Reluctance why) throws Exception {
        // Given
        var accepted = accept();
        if (why == Reluctance.LATER_ATTEMPT) {
            bus.append(signed(Frame.decision(ticket.response(), 2, FrameKind.REISSUE, new byte[0])));
        }
        ticket = switch (why) {
            case RESENT -> accepted.again(accepted.acceptedOffset());
            case OLD -> ticket;
            case LATER_ATTEMPT -> TestGateway.forAttempt(accepted, 2);
        };
        take(why != Reluctance.OLD);
        await(() -> count(FrameKind.FENCE) == 1);
        TimeUnit.MILLISECONDS.sleep(100);
        assertThat(count(FrameKind.DELTA)).isZero();
        // When
        bus.readable();
        // Then
        await(() -> count(FrameKind.END) == 1);
    }

    private enum Reluctance {
        RESENT,
        OLD,
        LATER_ATTEMPT
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoFindsTheFenceOfAnotherFallsSilent(boolean isNew) throws Exception {
        // Given an opted-in response
        ticket = together("Count from 1 to 3000.", ServiceRole.AUDIT);
        accept();
        bus.append(fenceOfAnother());
        take(isNew);
        await(() -> count(FrameKind.FENCE) == 2);
        // When
        bus.readable();
        // Then
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(kinds()).doesNotContain(FrameKind.END, FrameKind.HANDOVER);
        assertThat(bus.holdsTrace()).isFalse();
    }

    @Test
    void aResponseThatHasEndedIsLeftAlone() throws Exception {
        // Given
        accept();
        var cancelled = new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode();
        bus.append(signed(Frame.decision(ticket.response(), 1, FrameKind.OWNER_END, cancelled)));
        take(true);
        // When
        bus.readable();
        // Then
        await(() -> outcome("not_needed") == 1);
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(kinds()).doesNotContain(FrameKind.END, FrameKind.HANDOVER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFenceBeforeFrameZeroIsVoidAndAnotherFollows(boolean isNew) throws Exception {
        // Given
        bus.appended = frame -> {
            if (frame.kind() == FrameKind.FENCE && count(FrameKind.ACCEPTED) == 0) {
                bus.append(Objects.requireNonNull(ticket.first()));
            }
        };
        bus.readable();
        // When
        take(isNew);
        // Then
        await(() -> count(FrameKind.END) == 1);
        var fences = of(FrameKind.FENCE);
        assertThat(fences).hasSize(2);
        assertThat(of(FrameKind.END))
                .allMatch(end -> end.nonce() == fences.getLast().nonce());
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(bench.gate.availablePermits()).isEqualTo(SLOTS);
    }

    @Test
    void whereNoFrameZeroComesTheWorkerStopsUnheard() throws Exception {
        // Given
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> outcome("not_needed") == 1);
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(of(FrameKind.FENCE)).hasSize(1);
        assertThat(kinds()).doesNotContain(FrameKind.END, FrameKind.HANDOVER);
    }

    @Test
    void aResponseThatWasWithdrawnIsNotBegunAgain() throws Exception {
        // Given
        bus.appended = frame -> {
            if (frame.kind() == FrameKind.FENCE) {
                jobs.obey(new StopCommand(ticket.response(), Integer.MAX_VALUE));
                bus.append(Objects.requireNonNull(ticket.first()));
            }
        };
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> outcome("not_needed") == 1);
        assertThat(of(FrameKind.FENCE)).hasSize(1);
        assertThat(kinds()).doesNotContain(FrameKind.END);
    }

    @Test
    void aTicketThatWaitedForLongFindsItsFrameZeroFarBeforeItsFence() throws Exception {
        // Given
        accept();
        for (int i = 0; i < 300; i++) {
            bus.append(signed(Frame.decision(together("x").response(), 2, FrameKind.REISSUE, new byte[0])));
        }
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> count(FrameKind.END) == 1);
        assertThat(of(FrameKind.FENCE)).hasSize(1);
    }

    @Test
    void aFenceThatIsLostIsSentAgain() throws Exception {
        // Given
        accept();
        bus.lostFences = 1;
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> count(FrameKind.END) == 1);
        assertThat(of(FrameKind.FENCE)).hasSize(1);
        assertThat(bench.gate.awaitIdle(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aResponseWhoseLogIsGoneIsGivenUp() throws Exception {
        // Given
        var accepted = accept();
        ticket = accepted.with(accepted.acceptedOffset(), Objects.requireNonNull(ticket.first()));
        bus.begins = 2;
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> count(FrameKind.HANDOVER) == 1);
        assertThat(kinds()).doesNotContain(FrameKind.END);
    }

    @Test
    void theTraceOfAnOptedInResponseWaitsForTheFence() throws Exception {
        // Given
        ticket = together("Count from 1 to 3.", ServiceRole.AUDIT);
        accept();
        take(true);
        await(() -> count(FrameKind.DELTA) > 0);
        TimeUnit.MILLISECONDS.sleep(200);
        assertThat(bus.holdsTrace()).isFalse();
        // When
        bus.readable();
        // Then
        await(() -> count(FrameKind.END) == 1);
        assertThat(bus.holdsTrace()).isTrue();
    }

    @Test
    void aTicketThatDeniesTheFrameZeroInsideItIsNotRun() throws Exception {
        // Given
        var denied = Objects.requireNonNull(ticket.first());
        ticket = new JobTicket(
                        ticket.response(),
                        JobTicket.NOT_YET,
                        1,
                        TENANT,
                        Set.of(ServiceRole.GATEWAY),
                        ticket.deadlineMillis(),
                        0,
                        1,
                        null,
                        false,
                        UnknownFields.NONE)
                .with(JobTicket.NOT_YET, denied);
        accept();
        bus.readable();
        // When
        take(true);
        // Then
        await(() -> count(FrameKind.HANDOVER) == 1);
        await(() -> outcome("forged") == 1);
        assertThat(kinds()).containsExactly(FrameKind.ACCEPTED, FrameKind.FENCE, FrameKind.HANDOVER);
    }

    /// Appends frame 0.
    ///
    /// @return a ticket that has its offset and not itself
    private JobTicket accept() {
        long offset = bus.append(Objects.requireNonNull(ticket.first()));
        return ticket.with(offset, null);
    }

    private static JobTicket together(String question, ServiceRole... rawReaders) {
        var id = ResponseId.create(System.currentTimeMillis(), 3);
        var nothing = new byte[0];
        var sealed = gateway.sealFor(
                ServiceRole.WORKER, Workbench.asking(question).encode(), Accepted.jobContext(TENANT, id));
        var terms = rawReaders.length == 0 ? nothing : new byte[] {1};
        long deadline = System.currentTimeMillis() + 60_000;
        var accepted = new Accepted(
                TENANT,
                "key",
                MODEL,
                id.acceptedAtMillis(),
                deadline,
                Set.of(rawReaders),
                false,
                false,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(nothing, sealed, nothing, terms),
                "",
                1);
        var first = signed(Frame.decision(id, 1, FrameKind.ACCEPTED, accepted.encode()));
        return new JobTicket(
                        id,
                        JobTicket.NOT_YET,
                        1,
                        TENANT,
                        Set.of(rawReaders),
                        deadline,
                        0,
                        1,
                        null,
                        false,
                        UnknownFields.NONE)
                .with(JobTicket.NOT_YET, first);
    }

    private static Frame signed(Frame decision) {
        return gateway.signatures().sign(decision);
    }

    private Frame fenceOfAnother() {
        var place = new AttemptKeys.Place(TENANT, ticket.response(), 1, OTHER);
        var fence = AttemptKeys.create().fence("worker-2", place, ticket.rawReaders(), keys);
        return keys.signatures()
                .sign(Frame.sign(ticket.response(), 1, OTHER, FrameKind.FENCE).withBody(fence.encode()));
    }

    private void take(boolean isNew) {
        var topic = Topic.inboxName(MODEL);
        var signed = gateway.signatures().sign(SignedRecord.JOB_TICKET, topic, ticket.encode());
        starter.take(new ConsumerRecord<>(topic, 0, 0L, "key", signed), isNew, bench.permit());
    }

    private List<Frame> of(FrameKind kind) {
        return bus.frames().stream()
                .filter(frame -> frame.kind() == kind && frame.response().equals(ticket.response()))
                .toList();
    }

    private int count(FrameKind kind) {
        return of(kind).size();
    }

    private List<FrameKind> kinds() {
        return bus.frames().stream().map(Frame::kind).toList();
    }

    private double outcome(String name) {
        return bench.registry
                .get("counterpoint.worker.jobs")
                .tag("outcome", name)
                .counter()
                .count();
    }

    private static void await(BooleanSupplier comes) throws InterruptedException {
        while (!comes.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }
}
