package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.testkit.TestKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// C1: a job whose workers die before their fence, and one that they refuse, fail after the second dead letter; others
/// go on meanwhile. The workers of the deadly model are this test: they take a job as workers do, and leave without a
/// word.
@Timeout(300)
@Tag("nightly")
class PoisonJobIT {
    private static final String MODEL = "deadly";
    private static final String WORKER = "worker-deadly";
    private static final String CODE = "job_crashed_worker";
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int DELIVERIES = 2;
    private static final String QUEUE = Topic.jobsName(MODEL, Topic.Band.NORMAL);

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static KafkaClients clients;
    private static KafkaProducer<String, byte[]> producer;
    private static BeatSigner signer;
    private static final ScheduledExecutorService BEATS = Executors.newSingleThreadScheduledExecutor();

    @BeforeAll
    static void start() throws IOException {
        suite = new RunningSuite(folder);
        var worker = suite.startWorker(Duration.ofMillis(1));
        suite.startGateway().ready();
        worker.ready();
        clients = new KafkaClients(suite.kafka.bootstrapServers(), TestKafka.adminLogin());
        producer = clients.promptProducer();
        signer = new BeatSigner(WORKER, KeyRing.load(folder.resolve("keys"), ServiceRole.WORKER));
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            Arrays.stream(Topic.Band.values()).forEach(band -> topics.ensureJobs(MODEL, band));
            topics.ensureShareGroup(group(QUEUE));
        }
        BEATS.scheduleWithFixedDelay(PoisonJobIT::beat, 0, 500, TimeUnit.MILLISECONDS);
    }

    @AfterAll
    static void stop() {
        BEATS.shutdownNow();
        producer.close();
        suite.close();
    }

    private static void beat() {
        var model = new Heartbeat.Model(MODEL, "kills its workers", 4_096, 8, 8, List.of());
        var beat = new Heartbeat(WORKER, model, System.currentTimeMillis());
        producer.send(new ProducerRecord<>(Topic.MODELS, 0, WORKER, signer.prove(beat)));
    }

    @Test
    void c1AJobThatKillsItsWorkersBeforeTheFenceTakesFourAndFailsAndOthersGoOn() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var answer = callers.submit(() -> ask(MODEL));
            var deaths = new ArrayList<Integer>();
            for (int death = 0; death < 2 * DELIVERIES; death++) {
                try (var worker = taker(QUEUE)) {
                    take(worker, answer)
                            .ifPresent(record ->
                                    deaths.add(JobTicket.decode(record.value()).attempt()));
                }
                assertThat(Streams.terminals(ask(RunningSuite.MODEL))).containsExactly("response.completed");
            }
            // Then
            assertThat(failure(answer.get())).contains(CODE);
            assertThat(deaths).containsExactly(1, 1, 2, 2);
        }
    }

    @Test
    void c1AJobThatItsWorkersRefuseIsRefusedTwiceAndFails() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor();
                var worker = taker(QUEUE)) {
            // When
            var answer = callers.submit(() -> ask(MODEL));
            for (int refusal = 0; refusal < 2; refusal++) {
                worker.acknowledge(take(worker, answer).orElseThrow(), AcknowledgeType.REJECT);
                worker.commitSync();
            }
            // Then
            assertThat(failure(answer.get())).contains(CODE);
        }
    }

    private static String failure(List<SseEvent> events) {
        assertThat(Streams.terminals(events)).containsExactly("response.failed");
        return Streams.bodies(events).getLast().toString();
    }

    private static List<SseEvent> ask(String model) {
        return suite.client(RunningSuite.SUMMARY_KEY).stream(
                "/v1/responses", "{\"model\":\"%s\",\"input\":\"Say hello.\",\"stream\":true}".formatted(model));
    }

    private static String group(String queue) {
        return queue.replaceFirst("^jobs", "workers");
    }

    private static KafkaShareConsumer<String, byte[]> taker(String queue) {
        var taker = clients.jobTaker(group(queue));
        taker.subscribe(List.of(queue));
        return taker;
    }

    /// The next job; empty when the answer came first.
    private static Optional<ConsumerRecord<String, byte[]>> take(
            KafkaShareConsumer<String, byte[]> taker, Future<?> answer) {
        while (!answer.isDone()) {
            for (var record : taker.poll(POLL)) {
                return Optional.of(record);
            }
        }
        return Optional.empty();
    }
}
