package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.servicekit.tracing.Tracing;
import dev.counterpoint.summarizer.write.ModelDraft;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The loop and the drafts that its responses need, with models that do what the test says.
class SummaryConsumerDraftTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topic.FRAMES, 3);
    private static final String PART = "{\"title\":\"Comparing it\",\"text\":\"I'm looking at the choices.\"}";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final Models models = new Models();
    private final SummaryConsumer loop = new SummaryConsumer(
            new SummaryStarter(TestKeys.of(ServiceRole.SUMMARIZER), new WrittenSummaries(), Runnable::run, Tracing.OFF),
            new SummaryConsumer.Limits(Duration.ofSeconds(1), 9),
            new SummarizerMetrics(registry),
            consumer,
            new SummaryConsumer.Writes(
                    new SummaryPublisher(
                            producer, TestKeys.of(ServiceRole.SUMMARIZER).signatures()),
                    new DraftRound(models, 2, () -> models.nowMillis)));
    private final List<Frame> frames = new ArrayList<>();
    private int delivered;

    private static final class Models implements DraftDesk {
        final Map<ResponseId, ModelDraft> asked = new LinkedHashMap<>();
        final Map<ResponseId, DraftId> ids = new HashMap<>();
        final Deque<Draft> answers = new ArrayDeque<>();
        boolean away;
        long nowMillis;

        @Override
        public @Nullable DraftId ask(ResponseId response, ModelDraft draft) {
            if (away) {
                return null;
            }
            asked.put(response, draft);
            var id = DraftId.create();
            ids.put(response, id);
            return id;
        }

        void answer(ResponseLogWriter log, @Nullable String text) {
            answers.add(new Draft(Objects.requireNonNull(ids.remove(log.id)), text));
        }

        @Override
        public @Nullable Draft next() {
            return answers.poll();
        }
    }

    private ResponseLogWriter log() {
        return new ResponseLogWriter(ResponseId.create(System.currentTimeMillis(), PARTITION.partition()), frames::add);
    }

    private ResponseLogWriter.Holder thinking(ResponseLogWriter log) {
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of(), "How do we go on?", SummaryTier.WRITTEN);
        var context = Accepted.summaryContext(ResponseLogWriter.TENANT, log.id);
        return log.accepted(TestKeys.of(ServiceRole.WORKER).sealFor(ServiceRole.SUMMARIZER, job.encode(), context))
                .fence(1, 0xA)
                .thinks(0, "Let me think.\n");
    }

    /// The partition comes with `ends` records in it that were there before.
    private void assign(long ends) {
        loop.join();
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, ends));
        consumer.rebalance(List.of(PARTITION));
        loop.follow();
    }

    /// What was written, by this summarizer too, reaches the consumer.
    private void deliver() {
        producer.history().forEach(record -> frames.add(Frame.decode(record.value())));
        producer.clear();
        while (delivered < frames.size()) {
            var frame = frames.get(delivered);
            consumer.addRecord(new ConsumerRecord<>(
                    Topic.FRAMES,
                    PARTITION.partition(),
                    delivered++,
                    frame.response().toString(),
                    frame.encode()));
        }
        loop.follow();
    }

    private List<String> told(ResponseLogWriter log) {
        deliver();
        return ToldSummary.of(
                frames.stream().filter(frame -> frame.response().equals(log.id)).toList());
    }

    private double counted(String verdict) {
        return registry.get("counterpoint.summarizer.written")
                .tag("verdict", verdict)
                .tag("language", "en")
                .counter()
                .count();
    }

    @Test
    void aDraftThatComesAndIsAllowedIsAppended() {
        // Given
        assign(0);
        var log = log();
        thinking(log);
        deliver();
        assertThat(producer.history()).isEmpty();
        // When
        models.answer(log, PART);
        loop.follow();
        models.answer(log, "\"0\"");
        loop.follow();
        // Then
        assertThat(told(log)).containsExactly("0¶**Comparing it**\n\nI'm looking at the choices.");
        assertThat(counted("shown")).isOne();
    }

    @Test
    void aDraftThatDoesNotComeIsDescribedAfterTheWait() {
        // Given
        assign(0);
        var log = log();
        thinking(log);
        deliver();
        // When
        models.nowMillis = PlayedDrafts.WAIT_MILLIS;
        loop.follow();
        // Then
        assertThat(told(log)).containsExactly("0¶**Step**\n\nNumber 0.");
        assertThat(counted("late")).isOne();
    }

    @Test
    void isDescribedAtOnceWhereNoModelCanBeAsked() {
        // Given
        assign(0);
        models.away = true;
        var log = log();
        // When
        thinking(log);
        deliver();
        // Then
        assertThat(told(log)).containsExactly("0¶**Step**\n\nNumber 0.");
        assertThat(counted("failed")).isOne();
    }

    @Test
    void isDescribedAtOnceWhereAsManyDraftsAreUnderWayAsMayBe() {
        // Given
        assign(0);
        thinking(log());
        thinking(log());
        var third = log();
        // When
        thinking(third);
        deliver();
        // Then
        assertThat(models.asked).hasSize(2);
        assertThat(told(third)).containsExactly("0¶**Step**\n\nNumber 0.");
        assertThat(counted("no_room")).isOne();
    }

    @Test
    void asksForNothingForAWhileAfterSomeDraftsWithoutAnAnswer() {
        // Given
        assign(0);
        for (int i = 0; i < DraftRound.UNANSWERED_MAX; i++) {
            thinking(log());
            deliver();
            models.nowMillis += PlayedDrafts.WAIT_MILLIS;
            loop.follow();
        }
        var quick = log();
        // When
        thinking(quick);
        deliver();
        // Then
        assertThat(models.asked).hasSize(DraftRound.UNANSWERED_MAX);
        assertThat(told(quick)).containsExactly("0¶**Step**\n\nNumber 0.");
        // When
        models.nowMillis += DraftRound.PAUSE_MILLIS;
        thinking(log());
        deliver();
        // Then
        assertThat(models.asked).hasSize(DraftRound.UNANSWERED_MAX + 1);
    }

    @Test
    void asksForNothingBeforeItHasReadWhatWasThereWhenThePartitionCame() {
        // Given
        thinking(log());
        assign(4);
        // When
        deliver();
        // Then
        assertThat(models.asked).isEmpty();
        // When
        log().abandoned();
        deliver();
        // Then
        assertThat(models.asked).hasSize(1);
    }

    @Test
    void theEndOfTheAnswerWaitsForNoDraft() {
        // Given
        assign(0);
        var log = log();
        var holder = thinking(log);
        deliver();
        // When
        holder.close(0).answers(1, "Hello.").end();
        deliver();
        // Then
        assertThat(told(log)).containsExactly("0¶**Step**\n\nNumber 0.", "0.");
        assertThat(loop.following()).isZero();
    }
}
