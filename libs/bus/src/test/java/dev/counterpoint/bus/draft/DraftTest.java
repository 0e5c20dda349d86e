package dev.counterpoint.bus.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.BusProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DraftTest {
    private static final ResponseId RESPONSE = ResponseId.create(1, 3);
    private static final ResponseId OTHER = ResponseId.create(1, 3);
    private static final DraftTask TASK = new DraftTask("Be brief.", "Weather in Zürich? <|end|>", "{}", 80);
    private static final String TEXT = "{\"title\":\"Grüße\"}";
    private static final KeyRing SUMMARIZER = TestKeys.of(ServiceRole.SUMMARIZER);
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);

    private final DraftRequest request = DraftRequest.seal(RESPONSE, "openai/small", 9_000, TASK, SUMMARIZER);

    @Test
    void aWorkerReadsWhatASummarizerAsked() {
        // When
        var read = DraftRequest.verified(request.signed(SUMMARIZER), "jobs.openai_small", WORKER);
        // Then
        assertThat(read).usingRecursiveComparison().isEqualTo(request);
        assertThat(read.open(WORKER)).isEqualTo(TASK);
    }

    @Test
    void inAnInboxARequestIsNoTicket() {
        // Given
        var sent = request.record(7, SUMMARIZER);
        // When
        var read = new ConsumerRecord<>(sent.topic(), sent.partition(), 0, sent.key(), sent.value());
        var ticket = new ConsumerRecord<>(sent.topic(), 7, 1, RESPONSE.toString(), sent.value());
        // Then
        assertThat(DraftRequest.isMeantBy(read)).isTrue();
        assertThat(DraftRequest.isMeantBy(ticket)).isFalse();
        assertThat(DraftRequest.verified(read.value(), read.topic(), WORKER).id())
                .isEqualTo(request.id());
    }

    @Test
    void aSummarizerReadsWhatAWorkerAnswered() {
        // When
        var read = DraftAnswer.verified(
                DraftAnswer.written(request, TEXT, 40, 7, WORKER).signed(WORKER), SUMMARIZER);
        // Then
        assertThat(read.id()).isEqualTo(request.id());
        assertThat(read.outcome()).isEqualTo(DraftAnswer.Outcome.WRITTEN);
        assertThat(read.open(request, SUMMARIZER)).isEqualTo(TEXT);
        assertThat(List.of(read.promptTokens(), read.sampledTokens())).containsExactly(40, 7);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUMMARIZER")
    void aRequestThatNoSummarizerSignedIsRefused(ServiceRole role) {
        assertRefused(request.signed(TestKeys.of(role)), request.topic());
    }

    @Test
    void aRequestIsRefusedOnTheTopicOfAnotherModel() {
        assertRefused(request.signed(SUMMARIZER), "jobs.large");
        // Even when a summarizer signed it for there
        var moved = SUMMARIZER.signatures().sign(SignedRecord.DRAFT_REQUEST, "jobs.large", request.encode());
        assertRefused(moved, "jobs.large");
    }

    @Test
    void aRequestWhoseModelHasNoTopicIsRefused() {
        var nowhere = new DraftRequest(request.id(), RESPONSE, "größe", 9_000, request.sealedTask());
        var signed = SUMMARIZER.signatures().sign(SignedRecord.DRAFT_REQUEST, "jobs.large", nowhere.encode());

        assertRefused(signed, "jobs.large");
    }

    private static void assertRefused(byte[] record, String topic) {
        var told = new ArrayList<String>();
        var worker = KeyRing.load(TestKeys.FOLDER, ServiceRole.WORKER, (where, why) -> told.add(where + " " + why));

        assertThatThrownBy(() -> DraftRequest.verified(record, topic, worker)).isInstanceOf(SealException.class);
        assertThat(told).hasSize(1).allMatch(refusal -> refusal.startsWith(topic));
    }

    @Test
    void theTaskOfAnotherResponseOrRequestDoesNotOpen() {
        var task = request.sealedTask();

        for (var moved : List.of(
                new DraftRequest(request.id(), OTHER, "openai/small", 9_000, task),
                new DraftRequest(DraftId.create(), RESPONSE, "openai/small", 9_000, task))) {
            assertThatThrownBy(() -> moved.open(WORKER)).isInstanceOf(SealException.class);
        }
        assertThatThrownBy(() -> request.open(SUMMARIZER)).isInstanceOf(SealException.class);
    }

    @Test
    void anAnswerOpensForItsOwnRequestAndForSummarizersOnly() {
        var answer = DraftAnswer.written(request, TEXT, 40, 7, WORKER);

        for (var other : List.of(
                DraftRequest.seal(RESPONSE, "openai/small", 9_000, TASK, SUMMARIZER),
                new DraftRequest(request.id(), OTHER, "openai/small", 9_000, request.sealedTask()))) {
            assertThatThrownBy(() -> answer.open(other, SUMMARIZER)).isInstanceOf(SealException.class);
        }
        assertThatThrownBy(() -> answer.open(request, TestKeys.of(ServiceRole.GATEWAY)))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> DraftAnswer.failed(request, 0, 0).open(request, SUMMARIZER))
                .isInstanceOf(SealException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WORKER")
    void anAnswerThatNoWorkerSignedIsRefused(ServiceRole role) {
        var record = DraftAnswer.failed(request, 0, 0).signed(TestKeys.of(role));

        assertThatThrownBy(() -> DraftAnswer.verified(record, SUMMARIZER)).isInstanceOf(SealException.class);
    }

    @Test
    void anOutcomeOfANewerVersionIsNoText() {
        var newer = BusProto.DraftAnswer.newBuilder()
                .setVersion(1)
                .setIdHigh(1)
                .setIdLow(2)
                .setOutcome(9)
                .build()
                .toByteArray();

        assertThat(DraftAnswer.decode(newer).outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
    }

    @Test
    void nothingOfTheContentShowsOnTheBus() {
        var records = List.of(
                request.signed(SUMMARIZER),
                DraftAnswer.written(request, TEXT, 40, 7, WORKER).signed(WORKER));

        assertThat(records)
                .allSatisfy(record -> assertThat(new String(record, StandardCharsets.UTF_8))
                        .doesNotContain("brief", "Weather", "title"));
        assertThat(request.topic()).isEqualTo(Topic.inboxName("openai/small"));
        assertThat(request.toString() + TASK).doesNotContain("brief", "Weather");
    }
}
