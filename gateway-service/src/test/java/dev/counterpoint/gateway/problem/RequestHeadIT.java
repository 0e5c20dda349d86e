package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.testkit.RawHttp;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// L3, L9 and D8 (reviews): heads that two readers could read differently are refused, and what we do not do is
/// named.
@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class RequestHeadIT {
    private static final Api CALLER = new Api(GatewayDatabase.BOOTSTRAP_KEY);
    private static final URI SERVER = Api.uri("/");
    private static final String KEY = "Authorization: Bearer " + GatewayDatabase.BOOTSTRAP_KEY + "\n";
    private static final String JSON = "Content-Type: application/json\n";

    @ParameterizedTest(name = "L3 {0}")
    @ValueSource(strings = {"", "Host: a\nHost: b\n", "Host: a\nHost: a\n", "Host:\n", "Host: a b\n", "Host: a/b\n"})
    void aHostThatIsMissingDoubleOrNoneIsRefused(String host) throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/caller HTTP/1.1\n" + host + KEY + "\n");

            assertThat(connection.status()).isEqualTo(400);
        }
    }

    @Test
    void l3ARefusedHeadIsToldInTheOneShape() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/caller HTTP/1.1\n" + KEY + "\n");

            assertThat(connection.head())
                    .containsIgnoringCase("connection: close")
                    .containsIgnoringCase("\ndate: ");
            assertThat(connection.rest()).contains("invalid_request_error").contains("'Host'");
        }
    }

    @Test
    void l3AnUpgradeToHttp2IsIgnored() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/caller HTTP/1.1\nHost: a\nConnection: Upgrade, HTTP2-Settings\n"
                    + "Upgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\n" + KEY + "\n");

            assertThat(connection.status()).isEqualTo(200);
        }
    }

    @Test
    void aWebSocketIsForCallersWithAKeyAndForResponses() throws IOException {
        var upgrade = "Host: a\nConnection: Upgrade\nUpgrade: websocket\n"
                + "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n";
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/responses HTTP/1.1\n" + upgrade + "\n");

            assertThat(connection.status()).isEqualTo(401);
        }
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/models HTTP/1.1\n" + upgrade + KEY + "\n");

            assertThat(connection.status()).isEqualTo(200);
        }
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/responses HTTP/1.1\n" + upgrade + KEY + "\n");

            assertThat(connection.head()).startsWith("HTTP/1.1 101 ").containsIgnoringCase("\nx-request-id: req_");
        }
        assertThat(CALLER.get("/v1/responses").status()).isEqualTo(405);
    }

    @ParameterizedTest(name = "L3 {0}")
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked\nContent-Length: 7\n",
                "Transfer-Encoding: xchunked\n",
                "Transfer-Encoding: gzip, chunked\n",
                "Transfer-Encoding: identity\nContent-Length: 7\n",
                "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n",
                "Transfer-Encoding: chunked\nContent-Length: 7\n"
            })
    void aTransferEncodingThatIsNotJustChunkedIsRefusedAndTheConnectionCloses(String framing) throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("POST /v1/probe/echo HTTP/1.1\nHost: a\n" + KEY + JSON + framing + "\n7\n{\"a\":1}\n0\n\n");

            assertThat(connection.status()).isEqualTo(400);
            assertThat(connection.closesWithin(Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void l3AChunkedBodyIsTaken() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("POST /v1/probe/echo HTTP/1.1\nHost: a\n" + KEY + JSON
                    + "Transfer-Encoding: Chunked\n\n7\n{\"a\":1}\n0\n\n");

            assertThat(connection.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest(name = "L9, D8 {0}")
    @ValueSource(strings = {"compress", "snappy", "gzip, br", "identity, gzip", "*"})
    void aCodingThatIsNotTakenIsRefusedWithThoseThatAre(String coding) {
        var answer = CALLER.send(encoded(coding, "{\"a\":1}".getBytes(StandardCharsets.UTF_8)));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.header("accept-encoding")).isEqualTo("gzip, deflate, br, zstd");
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("unsupported_content_encoding");
        assertThat(answer.json().path("error").path("message").asText()).contains("Content-Encoding");
    }

    @Test
    void aBodyIsReadInEveryCodingThatIsTaken() throws IOException {
        byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        var gzip = Codings.gzip(json);

        for (var request : List.of(
                encoded("gzip", gzip),
                encoded(" GZip ", gzip),
                encoded("deflate", Codings.deflate(json)),
                encoded("br", Codings.BROTLI),
                encoded("zstd", Codings.zstd(json)))) {
            var answer = CALLER.send(request);

            assertThat(answer.status()).as(request.build().headers().toString()).isEqualTo(200);
            assertThat(answer.json().toString()).isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void theLimitOfBodiesHoldsForTheDecodedBody() throws IOException {
        var answer = CALLER.send(
                encoded("gzip", Codings.gzip(("\"" + "x".repeat(70_000) + "\"").getBytes(StandardCharsets.UTF_8))));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("request_too_large");
        assertThat(CALLER.post("/v1/probe/echo", "{\"a\":1}").status()).isEqualTo(200);
    }

    private static HttpRequest.Builder encoded(String coding, byte[] body) {
        return CALLER.request("/v1/probe/echo")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", coding)
                .POST(BodyPublishers.ofByteArray(body));
    }

    @Test
    void l9IdentityIsTaken() {
        var answer = CALLER.send(CALLER.request("/v1/probe/echo")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "identity")
                .POST(BodyPublishers.ofString("{\"a\":1}")));

        assertThat(answer.status()).isEqualTo(200);
    }
}
