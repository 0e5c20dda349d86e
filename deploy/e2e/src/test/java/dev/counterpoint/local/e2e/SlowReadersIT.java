package dev.counterpoint.local.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client that hardly reads: others on its gateway notice nothing, and it loses its connection, not its answer.
@Tag("nightly")
class SlowReadersIT {
    /// With twenty alternatives for each token, so that it is more than sockets hold.
    private static final String LARGE =
            "{\"model\":\"%s\",\"input\":\"Count from 1 to 1500.\",\"stream\":true,".formatted(RunningSuite.MODEL)
                    + "\"background\":true,\"top_logprobs\":20}";

    private static final String SMALL =
            "{\"model\":\"%s\",\"input\":\"What is 17 plus 25?\",\"stream\":true}".formatted(RunningSuite.MODEL);

    @TempDir
    private Path folder;

    private RunningSuite suite;
    private RunningSuite.Service gateway;
    private ApiClient caller;

    @BeforeEach
    void start() throws IOException {
        suite = new RunningSuite(folder);
        var worker = suite.startWorker(
                Map.of("WORKER_SIMULATED_FIRST_TOKEN_TIME", "1ms", "WORKER_SIMULATED_PER_TOKEN_TIME", "1ms"));
        // Holds a small answer whole, so that only who hardly reads can fall behind, and not a large one.
        gateway = suite.startReplica(Map.of("GATEWAY_STREAM_MAILBOX_CAPACITY", "512", "GATEWAY_WRITE_TIMEOUT", "3s"))
                .ready();
        worker.ready();
        caller = suite.client(gateway, RunningSuite.SUMMARY_KEY);
    }

    @AfterEach
    void stop() {
        suite.close();
    }

    @Test
    void delaysNobodyAndTakesItsAnswerUpAgain() throws IOException {
        // Given
        try (var slow = SlowSocket.ask(gateway.port(), RunningSuite.SUMMARY_KEY, LARGE)) {
            var received = new ByteArrayOutputStream();
            while (!received.toString(UTF_8).contains("response.in_progress")) {
                received.write(slow.getInputStream().read());
            }
            // When
            for (int i = 0; i < 20; i++) {
                received.write(slow.getInputStream().read());
                var fast = caller.stream("/v1/responses", SMALL);
                assertThat(Streams.terminals(fast)).containsExactly("response.completed");
            }
            var head = received.toString(UTF_8);
            var path = "/v1/responses/" + head.replaceAll("(?s).*?\"id\":\"(resp_[0-9a-f]+)\".*", "$1");
            var whole = replayed(path + "?stream=true");
            // Then
            assertThat(whole.stream().mapToLong(String::length).sum()).isGreaterThan(6_000_000);
            assertThat(whole.get(whole.size() - 2)).startsWith("event: response.completed");
            assertThat(caller.get(path).body().path("status").asText()).isEqualTo("completed");
            var got = untilCutOff(slow, received);
            assertThat(got).doesNotContain("[DONE]").doesNotContain("response.failed");
            int had = whole(got);
            assertThat(had).isBetween(2, whole.size() - 2);
            assertThat(replayed(path + "?stream=true&starting_after=" + (had - 1)))
                    .isEqualTo(whole.subList(had, whole.size()));
        }
    }

    /// What was on its way when the gateway gave up.
    private static String untilCutOff(Socket slow, ByteArrayOutputStream received) {
        try {
            slow.getInputStream().transferTo(received);
        } catch (IOException reset) {
            // As good as an end: the connection is over.
        }
        return received.toString(UTF_8);
    }

    /// How many events came whole.
    private static int whole(String received) {
        int events = 0;
        for (int at = received.indexOf("\ndata: {"); at >= 0; at = received.indexOf("\ndata: {", at + 1)) {
            events += received.indexOf("\n\n", at) > 0 ? 1 : 0;
        }
        return events;
    }

    private List<String> replayed(String path) {
        try (var stream = Blocks.again(caller, path)) {
            return stream.rest();
        }
    }
}
