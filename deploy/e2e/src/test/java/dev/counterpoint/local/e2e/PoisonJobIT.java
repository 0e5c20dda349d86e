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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// C1: a job whose workers die before their fence takes four of them and fails; others go on meanwhile. The workers
/// of the deadly model are this test: each has an inbox of one partition, and leaves without a word when a ticket
/// comes.
@Timeout(300)
@Tag("nightly")
class PoisonJobIT {
    private static final String MODEL = "deadly";
    private static final String CODE = "job_crashed_worker";
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int BEAT_MILLIS = 500;
    /// So many that the dead ones are never half of them.
    private static final int WORKERS = 10;

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static KafkaClients clients;
    private static KafkaProducer<String, byte[]> producer;
    /// Of the workers that live, by partition.
    private static final Map<Integer, BeatSigner> LIVING = new ConcurrentHashMap<>();

    private static final ScheduledExecutorService BEATS = Executors.newSingleThreadScheduledExecutor();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        suite = new RunningSuite(folder);
        var worker = suite.startWorker(Duration.ofMillis(1));
        suite.startGateway().ready();
        worker.ready();
        clients = new KafkaClients(suite.kafka.bootstrapServers(), TestKafka.adminLogin());
        producer = clients.promptProducer();
        try (var admin = clients.admin()) {
            new Topics(admin).ensureInbox(MODEL, WORKERS);
        }
        var keys = KeyRing.load(folder.resolve("keys"), ServiceRole.WORKER);
        IntStream.range(0, WORKERS).forEach(number -> LIVING.put(number, new BeatSigner(name(number), keys)));
        BEATS.scheduleWithFixedDelay(() -> LIVING.forEach(PoisonJobIT::beat), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        Eventually.until(
                () -> suite.client(RunningSuite.SUMMARY_KEY)
                        .get("/v1/models")
                        .body()
                        .toString(),
                models -> models.contains(MODEL));
    }

    @AfterAll
    static void stop() {
        BEATS.shutdownNow();
        producer.close();
        suite.close();
    }

    private static String name(int number) {
        return "worker-deadly-" + number;
    }

    private static void beat(int number, BeatSigner signer) {
        var model = new Heartbeat.Model(MODEL, "kills its workers", 4_096, 8, 8, List.of());
        var inbox = List.of(new Heartbeat.InboxPartition(number, 0));
        var beat = new Heartbeat(name(number), model, System.currentTimeMillis(), null, 0, inbox, BEAT_MILLIS, 1);
        producer.send(new ProducerRecord<>(Topic.MODELS, 0, name(number), signer.prove(beat)));
    }

    @Test
    void c1AJobThatKillsItsWorkersBeforeTheFenceTakesFourAndFailsAndOthersGoOn() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor();
                var tickets = clients.historyReader()) {
            var inboxes = IntStream.range(0, WORKERS)
                    .mapToObj(number -> new TopicPartition(Topic.inboxName(MODEL), number))
                    .toList();
            tickets.assign(inboxes);
            tickets.seekToBeginning(inboxes);
            // When
            var answer = callers.submit(() -> ask(MODEL));
            var deaths = new ArrayList<Integer>();
            while (!answer.isDone()) {
                for (var record : tickets.poll(POLL)) {
                    LIVING.remove(record.partition());
                    deaths.add(JobTicket.decode(record.value()).attempt());
                    assertThat(Streams.terminals(ask(RunningSuite.MODEL))).containsExactly("response.completed");
                }
            }
            // Then
            assertThat(failure(answer.get())).contains(CODE);
            assertThat(deaths).containsExactly(1, 1, 2, 2);
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
}
