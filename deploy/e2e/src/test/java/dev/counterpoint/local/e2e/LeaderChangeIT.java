package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.testkit.KafkaCluster;
import dev.counterpoint.testkit.TestKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three brokers, every record on all of them and acknowledged by two: the one that leads a stream's log is
/// killed in the middle of the stream, and the cluster notices as late as with the usual settings.
@Tag("nightly")
class LeaderChangeIT {
    private static final String QUESTION =
            "{\"model\":\"%s\",\"input\":\"Count from 1 to 80.\",\"stream\":true}".formatted(RunningSuite.MODEL);
    private static final String DELTA = "response.output_text.delta";
    private static final int EVENTS_BEFORE = 10;

    @TempDir
    private static Path folder;

    private static KafkaCluster kafka;
    private static RunningSuite suite;
    private static ApiClient caller;

    @BeforeAll
    static void start() throws IOException {
        kafka = KafkaCluster.startWithUsualSession(3);
        suite = new RunningSuite(folder, kafka);
        var worker = suite.startWorker(Duration.ofMillis(20));
        suite.startGateway().ready();
        worker.ready();
        caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void aStreamGoesOnWhoeverLeadsItsLog() {
        // Given
        var whole = Streams.text(caller.stream("/v1/responses", QUESTION), DELTA);
        assertThat(whole).contains("80");
        var killer = new Killer();
        // When
        var events = caller.stream("/v1/responses", QUESTION, killer::hear);
        var withTwo = caller.stream("/v1/responses", QUESTION);
        kafka.node(killer.killed).restart();
        var withThree = caller.stream("/v1/responses", QUESTION);
        // Then
        assertThat(killer.killed).isBetween(1, 3);
        assertThat(List.of(events, withTwo, withThree)).allSatisfy(answer -> {
            assertThat(Streams.terminals(answer)).containsExactly("response.completed");
            assertThat(Streams.text(answer, DELTA)).isEqualTo(whole);
        });
    }

    /// Reads along with a stream, and in the middle of it kills the broker that leads its log.
    private static final class Killer {
        private int heard;
        private int partition = -1;
        int killed;

        void hear(SseEvent event) {
            if (heard++ == 0) {
                var id =
                        ApiClient.tree(event.data()).path("response").path("id").asText();
                partition = ResponseId.parse(id.substring(id.indexOf('_') + 1))
                        .orElseThrow()
                        .partition();
            }
            if (heard == EVENTS_BEFORE) {
                killed = leader();
                kafka.node(killed).kill();
            }
        }

        private int leader() {
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                return admin.describeTopics(List.of(Topic.FRAMES))
                        .allTopicNames()
                        .get()
                        .get(Topic.FRAMES)
                        .partitions()
                        .get(partition)
                        .leader()
                        .id();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
