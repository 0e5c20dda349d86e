package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.summarizer.write.ModelDraft;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BusDraftsTest {
    private static final TopicPartition ANSWERS = new TopicPartition(Topic.DRAFT_ANSWERS, 0);
    private static final TopicPartition BEATS = new TopicPartition(Topic.MODELS, 0);
    private static final KeyRing SUMMARIZER = TestKeys.of(ServiceRole.SUMMARIZER);
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);
    private static final ResponseId RESPONSE = ResponseId.create(1_000, 3);
    private static final DraftTask TASK = new DraftTask("Write.", "{}", "{\"type\":\"object\"}", 9);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("latest");
    private final BusDrafts drafts = new BusDrafts(
            SUMMARIZER, producer, new KafkaClients("localhost:1", Map.of()), new SummarizerMetrics(registry));
    private long offset;

    private DraftId ask() {
        return Objects.requireNonNull(drafts.ask(RESPONSE, new ModelDraft(1, "model", TASK, 8_000)));
    }

    /// What was asked for last, as a worker reads it.
    private DraftRequest request() {
        var sent = producer.history().getLast();
        return DraftRequest.verified(sent.value(), sent.topic(), WORKER);
    }

    private void answer(byte[] record) {
        consumer.addRecord(new ConsumerRecord<>(ANSWERS.topic(), ANSWERS.partition(), offset++, "", record));
    }

    /// A worker of the model says that it writes drafts.
    private void beat() {
        var model = new Heartbeat.Model("model", "", 1_000, 4, 4, List.of(DraftRequest.ABILITY));
        var beat = new Heartbeat(
                "worker-1",
                model,
                System.currentTimeMillis(),
                null,
                0,
                List.of(new Heartbeat.InboxPartition(5, 0)),
                1_000,
                Frame.NEWEST_FORMAT);
        consumer.addRecord(new ConsumerRecord<>(
                BEATS.topic(), BEATS.partition(), 0, "worker-1", new BeatSigner("worker-1", WORKER).prove(beat)));
    }

    /// Hears a worker, and reads until all of `during` has happened, one after each poll.
    private void listen(Runnable... during) {
        consumer.assign(List.of(ANSWERS, BEATS));
        consumer.updateEndOffsets(Map.of(ANSWERS, 0L, BEATS, 0L));
        consumer.schedulePollTask(() -> {}); // finds where the heartbeats end
        consumer.schedulePollTask(this::beat);
        for (var step : during) {
            consumer.schedulePollTask(step);
        }
        consumer.schedulePollTask(drafts::close);
        drafts.listen(consumer);
    }

    @Test
    void asksAWorkerOfTheModelAndBringsWhatItWrote() {
        // When
        listen(
                this::ask,
                () -> answer(
                        DraftAnswer.written(request(), "Words.", 40, 7, WORKER).signed(WORKER)));
        // Then
        assertThat(producer.history().getLast().partition()).isEqualTo(5);
        assertThat(request().open(WORKER)).isEqualTo(TASK);
        assertThat(request().response()).isEqualTo(RESPONSE);
        assertThat(drafts.next()).isEqualTo(new DraftDesk.Draft(request().id(), "Words."));
        assertThat(drafts.next()).isNull();
        assertThat(registry.get("counterpoint.summarizer.draft.tokens")
                        .tag("kind", "sampled")
                        .counter()
                        .count())
                .isEqualTo(7);
    }

    @Test
    void asksForNothingBeforeItListens() {
        assertThat(drafts.ask(RESPONSE, new ModelDraft(1, "model", TASK, 8_000)))
                .isNull();
    }

    @Test
    void saysThatNothingComesWhereAWorkerSaysSo() {
        // When
        listen(this::ask, () -> answer(DraftAnswer.failed(request(), 40, 0).signed(WORKER)));
        // Then
        assertThat(drafts.next()).isEqualTo(new DraftDesk.Draft(request().id(), null));
    }

    @Test
    void passesOverAnswersToOthersForgedOnesAndSecondOnes() {
        // Given
        var other = DraftRequest.seal(RESPONSE, "model", 1, TASK, SUMMARIZER);
        // When
        listen(
                this::ask,
                () -> answer(DraftAnswer.written(other, "Others.", 1, 1, WORKER).signed(WORKER)),
                () -> answer(
                        DraftAnswer.written(request(), "Forged.", 1, 1, WORKER).signed(SUMMARIZER)),
                () -> answer(new byte[] {1, 2, 3}),
                () -> answer(
                        DraftAnswer.written(request(), "First.", 1, 1, WORKER).signed(WORKER)),
                () -> answer(
                        DraftAnswer.written(request(), "Second.", 1, 1, WORKER).signed(WORKER)));
        // Then
        assertThat(drafts.next()).isEqualTo(new DraftDesk.Draft(request().id(), "First."));
        assertThat(drafts.next()).isNull();
    }

    @Test
    void aTextThatDoesNotOpenIsNoText() {
        // Given
        var other = DraftRequest.seal(RESPONSE, "model", 1, TASK, SUMMARIZER);
        // When
        listen(this::ask, () -> {
            var sealedElsewhere =
                    DraftAnswer.written(other, "Others.", 1, 1, WORKER).sealedText();
            var moved = new DraftAnswer(request().id(), DraftAnswer.Outcome.WRITTEN, sealedElsewhere, 1, 1);
            answer(moved.signed(WORKER));
        });
        // Then
        assertThat(drafts.next()).isEqualTo(new DraftDesk.Draft(request().id(), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"größe", "unserved"})
    void aModelWithoutAWorkerIsNotAsked(String model) {
        // When
        listen(() -> assertThat(drafts.ask(RESPONSE, new ModelDraft(1, model, TASK, 8_000)))
                .isNull());
        // Then
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void nothingComesWhereTheBrokerTookNoRequest() {
        // Given
        producer.sendException = new KafkaException("down");
        // When
        listen(() -> assertThat(drafts.ask(RESPONSE, new ModelDraft(1, "model", TASK, 8_000)))
                .isNull());
        // Then
        assertThat(drafts.next()).isNull();
    }
}
