package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.OwnDatabase;
import dev.counterpoint.gateway.problem.ConnectionLimitsIT;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// PostgreSQL dies and comes back while the gateway stays. It shares its gateway with the tests of connections.
@QuarkusTest
@TestProfile(ConnectionLimitsIT.ShortTimes.class)
@WithTestResource(OwnDatabase.class)
class DatabaseOutageIT implements OwnDatabase.NeedsServer {
    private static final Api CALLER = new Api(GatewayDatabase.BOOTSTRAP_KEY);
    /// Two seconds by design, and room for a busy machine.
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private @Nullable TestPostgres server;

    @Override
    public void accept(TestPostgres server) {
        this.server = server;
    }

    @Test
    void isTold503AtOnceAndRecoversByItself() throws Exception {
        // Given
        var postgres = server;
        assertThat(postgres).isNotNull();
        assertThat(CALLER.get("/v1/probe/caller").status()).isEqualTo(200);

        flush(postgres);

        // When
        postgres.kill();
        var answers = atOnce(40);
        var ready = CALLER.get("/q/health/ready").json();
        postgres.restart();
        var recovered = CALLER.get("/v1/probe/caller");

        // Then
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.answer().status()).isEqualTo(503);
            assertThat(answer.answer().header("retry-after")).isEqualTo("2");
            assertThat(answer.answer().json().get("error").get("code").asText()).isEqualTo("service_unavailable");
            assertThat(answer.took()).isLessThan(ANSWER_WITHIN);
        });
        assertThat(ready.get("status").asText()).isEqualTo("DOWN");
        assertThat(recovered.status()).isEqualTo(200);
    }

    /// Durability is off in tests, so a kill forgets what was committed in the last moments, tables included.
    private static void flush(TestPostgres postgres) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("checkpoint");
        }
    }

    private record Timed(Api.Answer answer, Duration took) {}

    private static ArrayList<Timed> atOnce(int requests) throws Exception {
        var answers = new ArrayList<Timed>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = threads.invokeAll(IntStream.range(0, requests)
                    .<Callable<Timed>>mapToObj(_ -> () -> {
                        long began = System.nanoTime();
                        var answer = CALLER.get("/v1/probe/caller");
                        return new Timed(answer, Duration.ofNanos(System.nanoTime() - began));
                    })
                    .toList());
            for (var call : calls) {
                answers.add(call.get());
            }
        }
        return answers;
    }
}
