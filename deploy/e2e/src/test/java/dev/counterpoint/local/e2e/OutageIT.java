package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Broker, database or gateway goes away and comes back: callers are told to come again, and nobody restarts anything.
@Tag("nightly")
class OutageIT {
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(60);
    private static final String QUESTION =
            "{\"model\":\"%s\",\"input\":\"What is 17 plus 25?\\nsay: It is 42.\"}".formatted(RunningSuite.MODEL);

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static RunningSuite.Service gateway;
    private static ApiClient caller;

    @BeforeAll
    static void start() throws IOException {
        suite = new RunningSuite(folder);
        var worker = suite.startWorker(Duration.ofMillis(20));
        gateway = suite.startGateway().ready();
        worker.ready();
        caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void answers503WhileTheBrokerIsAwayAndRecovers() throws Exception {
        assertThat(caller.post("/v1/responses", QUESTION).status()).isEqualTo(200);

        suite.kafka.kill();
        var refused = until(answer -> answer.status() == 503);
        suite.kafka.restart();
        var recovered = until(answer -> answer.status() == 200);

        assertThat(refused.http().headers().firstValue("retry-after")).isPresent();
        assertThat(recovered.body().toString()).contains("42");
    }

    @Test
    void answers503WhileTheDatabaseIsAwayAndRecovers() throws Exception {
        assertThat(caller.post("/v1/responses", QUESTION).status()).isEqualTo(200);

        suite.postgres.kill();
        var refused = until(answer -> answer.status() == 503);
        suite.postgres.restart();
        var recovered = until(answer -> answer.status() == 200);

        assertThat(refused.http().headers().firstValue("retry-after")).isPresent();
        assertThat(recovered.body().toString()).contains("42");
    }

    @Test
    void finishesAfterItsRestartWhatAKilledGatewayLeft() throws Exception {
        var accepted = caller.post(
                        "/v1/responses",
                        "{\"model\":\"%s\",\"input\":\"Count from 1 to 60.\",\"background\":true}"
                                .formatted(RunningSuite.MODEL))
                .body();
        var path = "/v1/responses/" + accepted.path("id").asText();

        gateway.process().kill();
        gateway = suite.startGateway().ready();
        var finished = until(
                () -> caller.get(path),
                answer -> answer.body().path("status").asText().equals("completed"));

        assertThat(finished.body().toString()).contains("60");
    }

    private ApiClient.Answer until(Predicate<ApiClient.Answer> wanted) throws InterruptedException {
        return until(() -> caller.post("/v1/responses", QUESTION), wanted);
    }

    private static ApiClient.Answer until(Supplier<ApiClient.Answer> ask, Predicate<ApiClient.Answer> wanted)
            throws InterruptedException {
        long until = System.nanoTime() + RECOVERY_MAX.toNanos();
        var answer = ask.get();
        while (!wanted.test(answer) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(200);
            answer = ask.get();
        }
        assertThat(answer).matches(wanted, "the wanted answer within " + RECOVERY_MAX);
        return answer;
    }
}
