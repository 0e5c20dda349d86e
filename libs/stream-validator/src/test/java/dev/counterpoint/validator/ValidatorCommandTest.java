package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.answer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidatorCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void aSavedStreamThatIsRight(@TempDir Path folder) throws IOException {
        var file = Files.write(folder.resolve("stream"), answer().bytes());

        assertThat(run("", file.toString())).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo("The stream is right.\n");
    }

    @Test
    void aStreamOnStandardInputThatIsWrong() {
        var stream = new String(answer().without("output_item.done", 1).bytes(), UTF_8);

        assertThat(run(stream, "--responses", "-")).isEqualTo(1);
        assertThat(out.toString(UTF_8)).isEqualTo("""
                event 15, response.completed, number 14: order: item 1 (message) is still open: its \
                response.output_item.done is missing
                The stream is wrong: 1 complaint.
                """);
    }

    @Test
    void aLiveStreamIsAskedForAsWithCurl() throws IOException {
        // Given
        var asked = new ArrayList<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/responses", exchange -> {
            asked.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(asked.size() == 1 ? 200 : 500, 0);
            try (var body = exchange.getResponseBody()) {
                body.write(answer().bytes());
            }
        });
        server.start();
        var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/responses";
        try {
            // Then
            assertThat(run("", "-H", "Authorization: Bearer k", "-d", "{}", url))
                    .isZero();
            assertThat(asked).containsExactly("POST Bearer k {}");
            assertThat(run("", url)).as("refused").isEqualTo(2);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aWrongCallIsNoVerdict(@TempDir Path folder) {
        for (var call : List.of(
                List.of("--nonsense"),
                List.of("--starting-after", "x", "-"),
                List.of("-H"),
                List.of(folder.resolve("absent").toString()),
                List.of("-H", "nocolon", "http://127.0.0.1:1/"),
                List.<String>of())) {
            assertThat(run("", call.toArray(String[]::new))).as("%s", call).isEqualTo(2);
        }
        assertThat(run("", "--help")).isZero();
    }

    private int run(String in, String... arguments) {
        out.reset();
        return ValidatorCommand.run(
                List.of(arguments), new ByteArrayInputStream(in.getBytes(UTF_8)), new PrintStream(out, true, UTF_8));
    }
}
