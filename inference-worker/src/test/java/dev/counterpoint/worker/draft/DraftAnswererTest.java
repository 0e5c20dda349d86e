package dev.counterpoint.worker.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DraftAnswererTest {
    private static final KeyRing SUMMARIZER = TestKeys.of(ServiceRole.SUMMARIZER);
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);
    private static final ResponseId RESPONSE = ResponseId.create(1, 0);
    private static final long SOON =
            System.currentTimeMillis() + Duration.ofMinutes(5).toMillis();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DraftMetrics metrics = new DraftMetrics(registry, "simulated", "model");
    private final List<ProducerRecord<String, byte[]>> appended = new CopyOnWriteArrayList<>();
    private SimulatedOptions options = SimulatedOptions.immediate("model").withContextLength(4_096);
    private final AtomicInteger closed = new AtomicInteger();
    private @Nullable DraftSlot slot = new DraftSlot() {
        @Override
        public void started() {}

        @Override
        public void firstToken() {}

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    };
    private volatile boolean busIsAway;
    private volatile boolean stops;

    @Test
    void theTextGoesToSummarizersAlone() throws InterruptedException {
        // Given
        var request = request(SOON);
        // When
        answer(record(request));
        // Then
        assertThat(appended).hasSize(1).allMatch(record -> record.topic().equals(Topic.DRAFT_ANSWERS));
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.WRITTEN);
        assertThat(answered().open(request, SUMMARIZER)).isEqualTo(DraftTasks.ANSWER);
        assertThat(answered().sampledTokens()).isPositive();
        assertThat(counted("written")).isOne();
        assertThat(registry.get("counterpoint.worker.draft.tokens").counter().count())
                .isEqualTo(answered().sampledTokens());
        assertThat(registry.get("counterpoint.worker.draft.prompt.tokens")
                        .counter()
                        .count())
                .isEqualTo(answered().promptTokens());
    }

    @Test
    void whatNoSummarizerSignedIsForgottenWithoutAnAnswer() throws InterruptedException {
        var request = request(SOON);
        for (var role : List.of(ServiceRole.GATEWAY, ServiceRole.WORKER, ServiceRole.AUDIT)) {
            answer(record(request.topic(), request.signed(TestKeys.of(role))));
        }
        answer(record(request.topic(), new byte[] {1, 2}));

        assertThat(appended).isEmpty();
        assertThat(counted("forged")).isEqualTo(4);
    }

    @Test
    void theTaskOfAnotherResponseIsNotRun() throws InterruptedException {
        // Given
        var genuine = request(SOON);
        var moved = new DraftRequest(
                DraftId.create(), ResponseId.create(1, 0), genuine.model(), SOON, genuine.sealedTask());
        // When
        answer(record(moved));
        // Then
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("unreadable")).isOne();
    }

    @Test
    void whatNobodyWaitsForIsDropped() throws InterruptedException {
        answer(record(request(System.currentTimeMillis() - 1)));

        assertThat(appended).isEmpty();
        assertThat(counted("late")).isOne();
    }

    @Test
    void aDraftThatTakesTooLongIsDroppedAtItsDeadline() throws InterruptedException {
        // Given
        options = options.withFaults(new SimulatedOptions.Faults(5, null, null));
        // When
        answer(record(request(System.currentTimeMillis() + 700)));
        // Then
        assertThat(appended).isEmpty();
        assertThat(counted("late")).isOne();
    }

    @Test
    void withoutASlotADraftIsTurnedAway() throws InterruptedException {
        // Given
        slot = null;
        // When
        answer(record(request(SOON)));
        // Then
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("turned_away")).isOne();
    }

    @Test
    void noMoreDraftsAreWrittenAtOnceThanAllowed() throws InterruptedException {
        // Given a draft that hangs
        options = options.withFaults(new SimulatedOptions.Faults(5, null, null));
        try (var engine = new SimulatedEngine(options)) {
            var answerer = answerer(engine);
            answerer.answer(record(request(SOON)), () -> slot);
            // When
            answerer.answer(record(request(SOON)), () -> slot);
            await(() -> counted("turned_away") == 1);
            stops = true;
            // Then
            await(() -> closed.get() == 1);
            assertThat(counted("failed")).isOne();
        }
    }

    @Test
    void aWorkerThatStopsTurnsItsDraftsAway() throws InterruptedException {
        // Given
        stops = true;
        // When
        answer(record(request(SOON)));
        // Then
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("turned_away")).isOne();
    }

    @Test
    void anAnswerThatTheBusDoesNotTakeIsLost() throws InterruptedException {
        // Given
        busIsAway = true;
        // When
        answer(record(request(SOON)));
        // Then
        assertThat(counted("written")).isZero();
        assertThat(counted("failed")).isOne();
    }

    @Test
    void anEngineThatFailsOrHasNoSlotAndASchemaThatNobodyEnforcesAreAnswersWithoutAText() throws InterruptedException {
        options = options.withFaults(new SimulatedOptions.Faults(null, 4, null));
        answer(record(request(SOON)));
        var unenforceable = DraftTasks.of("Hello", "{\"not\":{}}", 9);
        answer(record(DraftRequest.seal(RESPONSE, "model", SOON, unenforceable, SUMMARIZER)));

        assertThat(appended).hasSize(2);
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("failed")).isEqualTo(2);
    }

    @Test
    void noMeterTellsAnythingOfADraft() throws InterruptedException {
        answer(record(request(SOON)));

        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(
                        meter -> assertThat(meter.getId().toString()).doesNotContain("loaves", RESPONSE.toString()));
    }

    private static DraftRequest request(long deadlineMillis) {
        return DraftRequest.seal(RESPONSE, "model", deadlineMillis, DraftTasks.WRITING, SUMMARIZER);
    }

    private static ConsumerRecord<String, byte[]> record(DraftRequest request) {
        return record(request.topic(), request.signed(SUMMARIZER));
    }

    private static ConsumerRecord<String, byte[]> record(String topic, byte[] value) {
        return new ConsumerRecord<>(topic, 0, 0, "any", value);
    }

    /// Has a request answered to the end.
    private void answer(ConsumerRecord<String, byte[]> record) throws InterruptedException {
        try (var engine = new SimulatedEngine(options)) {
            double before = outcomes();
            answerer(engine).answer(record, () -> slot);
            await(() -> outcomes() > before);
        }
    }

    private DraftAnswerer answerer(SimulatedEngine engine) {
        var writer = new DraftWriter(engine, WORKER, registry.timer("masks"));
        var limits = new DraftAnswerer.Limits(1, () -> stops);
        return new DraftAnswerer(WORKER, writer, metrics, limits, this::append);
    }

    private double outcomes() {
        return registry.get("counterpoint.worker.drafts").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static void await(BooleanSupplier comes) throws InterruptedException {
        while (!comes.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private long append(ProducerRecord<String, byte[]> record) throws TimeoutException {
        if (busIsAway) {
            throw new TimeoutException();
        }
        appended.add(record);
        return 0;
    }

    private DraftAnswer answered() {
        return DraftAnswer.verified(appended.getLast().value(), SUMMARIZER);
    }

    private double counted(String outcome) {
        return registry.get("counterpoint.worker.drafts")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
