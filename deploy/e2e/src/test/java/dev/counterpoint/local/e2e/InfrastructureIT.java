package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.testkit.KafkaCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Broker and database fail under load and come back. Callers that were let in get whole answers, the others are told
/// when to come again, and nobody restarts a service.
@Tag("nightly")
class InfrastructureIT {
    private static final int CALLERS = 6;
    private static final int STALLS = Integer.getInteger("stalls", 6);
    private static final String QUESTION =
            "{\"model\":\"%s\",\"input\":\"Count from 1 to 40.\",\"stream\":true}".formatted(RunningSuite.MODEL);

    @TempDir
    private static Path folder;

    private static KafkaCluster kafka;
    private static RunningSuite suite;
    private static RunningSuite.Service worker;
    private static RunningSuite.Service gateway;
    private static ApiClient caller;
    private static String wholeAnswer;
    private Load load;

    @BeforeAll
    static void start() throws IOException {
        kafka = KafkaCluster.start(1);
        suite = new RunningSuite(folder, kafka);
        worker = suite.startWorker(Duration.ofMillis(20));
        gateway = suite.startGateway().ready();
        worker.ready();
        caller = suite.client(RunningSuite.SUMMARY_KEY);
        wholeAnswer = Streams.text(caller.stream("/v1/responses", QUESTION), "response.output_text.delta");
        assertThat(wholeAnswer).contains("40");
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @BeforeEach
    void load() throws InterruptedException {
        load = new Load(caller, QUESTION, CALLERS);
        load.awaitUnderWay();
    }

    @AfterEach
    void unload() {
        load.close();
        assertThat(worker.process().isAlive()).isTrue();
        assertThat(gateway.process().isAlive()).isTrue();
    }

    @Test
    void aBrokerThatIsKilledAndComesBack() throws InterruptedException {
        kafka.kill();
        load.awaitRefusal();
        kafka.restart();

        load.awaitAnswers(2 * CALLERS);
        load.assertNothingLost(wholeAnswer);
        assertNothingIsKept();
    }

    /// As when each of its writes waits for a slow disk: everything stands still for a moment, again and again.
    @Test
    void aBrokerThatStallsCostsPausesAndNoReissue() throws InterruptedException {
        long reissues = FramesLog.read(kafka.bootstrapServers()).count(FrameKind.REISSUE);

        for (int stall = 0; stall < STALLS; stall++) {
            kafka.pause();
            TimeUnit.MILLISECONDS.sleep(900);
            kafka.resume();
            TimeUnit.MILLISECONDS.sleep(200);
        }

        load.awaitAnswers(CALLERS);
        load.assertNothingLost(wholeAnswer);
        assertThat(FramesLog.read(kafka.bootstrapServers()).count(FrameKind.REISSUE))
                .isEqualTo(reissues);
    }

    /// A broker that cannot write any more stops, and whoever runs it starts it again when there is room.
    @Test
    void aBrokerWhoseDiskIsFullUntilSomebodyMakesRoom() throws InterruptedException {
        var broker = kafka.node(1);
        broker.process().limitFiles(1);
        load.awaitRefusal();
        broker.kill();
        broker.restart();

        load.awaitAnswers(2 * CALLERS);
        load.assertNothingLost(wholeAnswer);
        assertNothingIsKept();
    }

    @Test
    void aDatabaseThatIsRestarted() throws InterruptedException {
        suite.postgres.stop();
        load.awaitRefusal();
        suite.postgres.restart();

        load.awaitAnswers(2 * CALLERS);
        for (var id : load.assertNothingLost(wholeAnswer)) {
            Eventually.until(
                    () -> caller.get("/v1/responses/" + id),
                    answer -> answer.body().path("status").asText().equals("completed"));
        }
        assertNothingIsKept();
    }

    /// What was open has been given back, so that no outage makes the next request wait, or the gateway grow.
    private static void assertNothingIsKept() throws InterruptedException {
        Eventually.until(() -> gateway.metric("counterpoint_gateway_open"), open -> open == 0);
        Eventually.until(() -> gateway.metric("counterpoint_gateway_queued"), queued -> queued == 0);
    }
}
