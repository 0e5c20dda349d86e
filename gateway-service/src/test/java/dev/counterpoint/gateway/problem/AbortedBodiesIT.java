package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.testkit.RawHttp;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// L5 (security review): uploads that break off are no fault of ours, so they do not fill our log.
@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class AbortedBodiesIT {
    private static final int UPLOADS = 60;
    private static final Api CALLER = new Api(GatewayDatabase.BOOTSTRAP_KEY);

    @Test
    void l5AbortedBodiesDoNotFillTheLog() throws IOException {
        // Given
        var logged = new Records();
        var root = Logger.getLogger("");
        root.addHandler(logged);
        try {
            // When
            for (int i = 0; i < UPLOADS; i++) {
                abort(i % 2 == 0 ? "Content-Length: 1000\n\n{\"a\":" : "Transfer-Encoding: chunked\n\n400\n{\"a\":");
            }
            for (int i = 0; i < UPLOADS; i++) { // each takes a worker's turn after those of the aborted ones
                assertThat(CALLER.post("/v1/probe/echo", "{\"a\":1}").status()).isEqualTo(200);
            }
        } finally {
            root.removeHandler(logged);
        }

        // Then
        assertThat(logged.lines).hasSizeLessThan(3);
    }

    private static void abort(String framingAndBody) throws IOException {
        try (var connection = new RawHttp(Api.uri("/"))) {
            connection.send("POST /v1/probe/echo HTTP/1.1\nHost: a\nAuthorization: Bearer "
                    + GatewayDatabase.BOOTSTRAP_KEY + "\nContent-Type: application/json\n" + framingAndBody);
            // The answer to a request on another connection: the head above was read before.
            assertThat(CALLER.get("/v1/probe/caller").status()).isEqualTo(200);
            connection.abort();
        }
    }

    private static final class Records extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            lines.add(record.getLoggerName() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
