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
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
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
    private final List<ProducerRecord<String, byte[]>> appended = new ArrayList<>();
    private SimulatedOptions options = SimulatedOptions.immediate("model").withContextLength(4_096);
    private boolean busIsAway;
    private boolean stops;

    @Test
    void theTextGoesToSummarizersAlone() throws InterruptedException {
        // Given
        var request = request(SOON);
        // When
        var became = answer(record(request, 1), slot());
        // Then
        assertThat(became).isEqualTo(AcknowledgeType.ACCEPT);
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
            var became = answer(record(request.topic(), request.signed(TestKeys.of(role)), 1), slot());
            assertThat(became).isEqualTo(AcknowledgeType.ACCEPT);
        }
        assertThat(answer(record(request.topic(), new byte[] {1, 2}, 1), slot()))
                .isEqualTo(AcknowledgeType.ACCEPT);

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
        answer(record(moved, 1), slot());
        // Then
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("unreadable")).isOne();
    }

    @Test
    void whatNobodyWaitsForIsDropped() throws InterruptedException {
        assertThat(answer(record(request(System.currentTimeMillis() - 1), 1), slot()))
                .isEqualTo(AcknowledgeType.ACCEPT);

        assertThat(appended).isEmpty();
        assertThat(counted("late")).isOne();
    }

    @Test
    void aDraftThatTakesTooLongIsDroppedAtItsDeadline() throws InterruptedException {
        // Given
        options = options.withFaults(new SimulatedOptions.Faults(5, null, null));
        // When
        answer(record(request(System.currentTimeMillis() + 700), 1), slot());
        // Then
        assertThat(appended).isEmpty();
        assertThat(counted("late")).isOne();
    }

    @Test
    void withoutASlotADraftGoesBackOnceAndIsTurnedAwayTheSecondTime() throws InterruptedException {
        assertThat(answer(record(request(SOON), 1), null)).isEqualTo(AcknowledgeType.RELEASE);
        assertThat(appended).isEmpty();

        assertThat(answer(record(request(SOON), 2), null)).isEqualTo(AcknowledgeType.ACCEPT);
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("returned")).isOne();
        assertThat(counted("turned_away")).isOne();
    }

    @Test
    void aWorkerThatStopsGivesItsDraftBack() throws InterruptedException {
        stops = true;

        assertThat(answer(record(request(SOON), 1), slot())).isEqualTo(AcknowledgeType.RELEASE);
        assertThat(appended).isEmpty();
    }

    @Test
    void anAnswerThatTheBusDoesNotTakeIsWrittenAnew() throws InterruptedException {
        busIsAway = true;

        assertThat(answer(record(request(SOON), 1), slot())).isEqualTo(AcknowledgeType.RELEASE);
        assertThat(counted("written")).isZero();
    }

    @Test
    void anEngineThatFailsOrHasNoSlotAndASchemaThatNobodyEnforcesAreAnswersWithoutAText() throws InterruptedException {
        options = options.withFaults(new SimulatedOptions.Faults(null, 4, null));
        answer(record(request(SOON), 1), slot());
        var unenforceable = DraftTasks.of("Hello", "{\"not\":{}}", 9);
        answer(record(DraftRequest.seal(RESPONSE, "model", SOON, unenforceable, SUMMARIZER), 1), slot());

        assertThat(appended).hasSize(2);
        assertThat(answered().outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("failed")).isEqualTo(2);
    }

    @Test
    void noMeterTellsAnythingOfADraft() throws InterruptedException {
        answer(record(request(SOON), 1), slot());

        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(
                        meter -> assertThat(meter.getId().toString()).doesNotContain("loaves", RESPONSE.toString()));
    }

    private static DraftRequest request(long deadlineMillis) {
        return DraftRequest.seal(RESPONSE, "model", deadlineMillis, DraftTasks.WRITING, SUMMARIZER);
    }

    private static ConsumerRecord<String, byte[]> record(DraftRequest request, int delivery) {
        return record(request.topic(), request.signed(SUMMARIZER), delivery);
    }

    private static ConsumerRecord<String, byte[]> record(String topic, byte[] value, int delivery) {
        return new ConsumerRecord<>(
                topic,
                0,
                0,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                value.length,
                "any",
                value,
                new RecordHeaders(),
                Optional.empty(),
                Optional.of((short) delivery));
    }

    private AcknowledgeType answer(ConsumerRecord<String, byte[]> record, DraftSlots.@Nullable DraftSlot slot)
            throws InterruptedException {
        try (var engine = new SimulatedEngine(options)) {
            var writer = new DraftWriter(engine, WORKER, registry.timer("masks"));
            return new DraftAnswerer(WORKER, writer, metrics, this::append).answer(record, slot, () -> stops);
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

    private static DraftSlots.DraftSlot slot() {
        return new DraftSlots.DraftSlot() {
            @Override
            public void started() {}

            @Override
            public void firstToken() {}

            @Override
            public void close() {}
        };
    }
}
