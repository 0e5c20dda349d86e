package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.testkit.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Summarizers on a real broker whose drafts the test writes, as a worker does.
class WrittenSummaryIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String PART = "{\"title\":\"Comparing it\",\"text\":\"I'm looking at the choices.\"}";
    private static final Map<String, String> SETTINGS =
            Map.of("summarizer.written.allowed", "true", "summarizer.tidy-interval", "200ms");
    private static final TestKafka KAFKA = TestKafka.start();
    private static final KafkaClients CLIENTS = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
    private static final Admin ADMIN = CLIENTS.admin();
    private static final KafkaProducer<String, byte[]> PRODUCER = CLIENTS.patientProducer();

    private static final List<String> MODELS = List.of("model", "judge");
    private static final List<BeatSigner> SIGNERS = MODELS.stream()
            .map(model -> new BeatSigner(model, TestKeys.of(ServiceRole.WORKER)))
            .toList();
    private static final ScheduledExecutorService WORKERS = Executors.newSingleThreadScheduledExecutor();

    private final TestSummarizers summarizers = new TestSummarizers(CLIENTS, new WrittenSummaries());
    private final ResponseLogWriter log =
            new ResponseLogWriter(ResponseId.create(System.currentTimeMillis(), 5), WrittenSummaryIT::send);

    /// Offsets up to which drafts were read, by topic.
    private final Map<String, Long> read = new HashMap<>();

    @BeforeAll
    static void createTopics() {
        TestAccounts.join(TestKeys.FOLDER, KAFKA.bootstrapServers(), TestKafka.adminLogin());
        new Topics(ADMIN).ensureShared(Topic.FRAMES_PER_GATEWAY);
        MODELS.forEach(model -> new Topics(ADMIN).ensureInbox(model, 1));
        WORKERS.scheduleAtFixedRate(WrittenSummaryIT::beat, 0, 200, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void endWhatIsOpen() throws InterruptedException {
        summarizers.stopAll();
        log.ownerEnd();
    }

    @AfterAll
    static void stop() {
        WORKERS.shutdownNow();
        PRODUCER.close(Duration.ofSeconds(2));
        ADMIN.close(Duration.ofSeconds(2));
        KAFKA.close();
    }

    /// A worker of each model says that it writes drafts.
    private static void beat() {
        for (var signer : SIGNERS) {
            var model = new Heartbeat.Model(signer.sender(), "", 1_000, 4, 4, List.of(DraftRequest.ABILITY));
            var inbox = List.of(new Heartbeat.InboxPartition(0, 0));
            long now = System.currentTimeMillis();
            var beat = new Heartbeat(signer.sender(), model, now, null, 0, inbox, 200, Frame.NEWEST_FORMAT);
            PRODUCER.send(new ProducerRecord<>(Topic.MODELS, signer.sender(), signer.prove(beat)));
        }
    }

    private static void send(Frame frame) {
        PRODUCER.send(new ProducerRecord<>(
                Topic.FRAMES, frame.response().partition(), frame.response().toString(), frame.encode()));
    }

    private ResponseLogWriter.Holder thinking() {
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of("Be brief."), "Which one?", SummaryTier.WRITTEN);
        var context = Accepted.summaryContext(ResponseLogWriter.TENANT, log.id);
        var sealed = TestKeys.of(ServiceRole.WORKER).sealFor(ServiceRole.SUMMARIZER, job.encode(), context);
        return log.accepted(sealed).fence(1, 0xA).thinks(0, "Let me think.\n");
    }

    @Test
    void aPartThatAWorkerWroteAndAnotherAllowedStandsInTheLog() {
        // Given
        start();
        // When
        var holder = thinking();
        write("model", PART);
        write("judge", "\"0\"");
        // Then
        assertThat(readUntil(told -> told.size() == 1))
                .containsExactly("0¶**Comparing it**\n\nI'm looking at the choices.");
        // When
        holder.close(0).answers(1, "Hello.").end();
        // Then
        assertThat(readUntil(told -> told.contains("0."))).hasSize(2);
    }

    @Test
    void aSuccessorLeavesNoGapWhereItsPredecessorWaitedForADraft() throws Exception {
        // Given
        var first = start();
        var holder = thinking();
        await("model");
        // When
        summarizers.stop(first);
        start();
        holder.close(0).answers(1, "Hello.").end();
        // Then
        assertThat(readUntil(told -> told.contains("0."))).hasSize(2).last().isEqualTo("0.");
    }

    private TestSummarizers.Replica start() {
        var replica = summarizers.start(SETTINGS);
        TestSummarizers.await(
                () -> replica.summarizer().asks("model") && replica.summarizer().asks("judge"));
        return replica;
    }

    /// Writes the next draft that a model is asked for.
    private void write(String model, String text) {
        var worker = TestKeys.of(ServiceRole.WORKER);
        var answer = DraftAnswer.written(await(model), text, 9, 3, worker);
        PRODUCER.send(new ProducerRecord<>(Topic.DRAFT_ANSWERS, answer.signed(worker)));
    }

    private DraftRequest await(String model) {
        var topic = Topic.inboxName(model);
        var requests = new ArrayList<DraftRequest>();
        try (var consumer = reader(new TopicPartition(topic, 0), read.getOrDefault(topic, 0L))) {
            TestSummarizers.await(() -> {
                consumer.poll(Duration.ofMillis(50)).forEach(record -> {
                    var request = DraftRequest.verified(record.value(), topic, TestKeys.of(ServiceRole.WORKER));
                    if (requests.isEmpty() && request.response().equals(log.id)) {
                        read.put(topic, record.offset() + 1);
                        requests.add(request);
                    }
                });
                return !requests.isEmpty();
            });
        }
        return requests.getFirst();
    }

    private List<String> readUntil(Predicate<List<String>> enough) {
        var summary = new ToldSummary();
        try (var consumer = reader(new TopicPartition(Topic.FRAMES, 5), 0)) {
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (!enough.test(summary.told()) && System.nanoTime() < giveUp) {
                consumer.poll(Duration.ofMillis(50)).forEach(record -> {
                    var frame = Frame.decode(record.value());
                    if (frame.response().equals(log.id)) {
                        summary.accept(frame);
                    }
                });
            }
        }
        return summary.told();
    }

    private static KafkaConsumer<String, byte[]> reader(TopicPartition at, long offset) {
        var consumer = CLIENTS.reader();
        consumer.assign(List.of(at));
        consumer.seek(at, offset);
        return consumer;
    }
}
