package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.ProbeResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class ErrorsIT {
    private static final Api CALLER = new Api(GatewayDatabase.BOOTSTRAP_KEY);
    private static final Api NOBODY = new Api("");

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("a path of nobody", 404, "unknown_url", () -> NOBODY.get("/v1/nothing/here")),
                refusal("a path outside the API", 404, "unknown_url", () -> NOBODY.get("/favicon.ico")),
                refusal("a posted path of nobody", 404, "unknown_url", () -> NOBODY.post("/v1/nothing", "{}")),
                refusal("a resource outside the doors", 404, "unknown_url", () -> CALLER.get("/elsewhere")),
                refusal("a wrong method", 405, "method_not_supported", () -> CALLER.delete("/v1/probe/caller")),
                refusal(
                        "a wrong media type",
                        415,
                        "unsupported_content_type",
                        () -> CALLER.send(CALLER.request("/v1/probe/echo")
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("{}")))),
                refusal(
                        "a media type that is none",
                        415,
                        "unsupported_content_type",
                        () -> CALLER.send(CALLER.request("/v1/probe/echo")
                                .header("Content-Type", "???")
                                .POST(BodyPublishers.ofString("{}")))),
                refusal("malformed JSON", 400, "null", () -> CALLER.post("/v1/probe/echo", "{\"a\": ")),
                refusal("an empty body", 400, "null", () -> CALLER.post("/v1/probe/echo", "")),
                refusal(
                        "a body over the limit",
                        413,
                        "request_too_large",
                        () -> CALLER.post("/v1/probe/echo", "\"" + "x".repeat(70_000) + "\"")),
                refusal(
                        "an upload over the limit that does not say its length",
                        413,
                        "request_too_large",
                        () -> CALLER.send(CALLER.request("/v1/probe/echo")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofInputStream(
                                        () -> new ByteArrayInputStream(new byte[200_000]))))));
    }

    static Stream<Arguments> refusalsOfResources() {
        return Stream.of(
                refusal("a key that is missing", 401, "null", () -> NOBODY.get("/v1/probe/caller")),
                refusal(
                        "a key that is wrong",
                        401,
                        "invalid_api_key",
                        () -> new Api("cp-" + "x".repeat(43)).get("/v1/probe/caller")),
                refusal("a key that is no key", 401, "invalid_api_key", () -> new Api("x").get("/v1/probe/caller")),
                refusal("a scope that is missing", 403, "missing_scope", () -> CALLER.get("/v1/probe/raw")),
                refusal("a rule of the wire", 400, "invalid_value", () -> CALLER.get("/v1/probe/failure/wire")),
                refusal("a refusal of ours", 404, "model_not_found", () -> CALLER.get("/v1/probe/failure/refused")),
                refusal("a bus that is away", 503, "service_unavailable", () -> CALLER.get("/v1/probe/failure/away")),
                refusal("a bug", 500, "server_error", () -> CALLER.get("/v1/probe/failure/bug")),
                refusal(
                        "a stream that fails before it begins",
                        503,
                        "service_unavailable",
                        () -> CALLER.get("/v1/probe/stream/early/e")));
    }

    private interface Call {
        Api.Answer send();
    }

    private static Arguments refusal(String name, int status, String code, Call call) {
        return Arguments.of(name, status, code, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"refusals", "refusalsOfResources"})
    void isToldInTheOneShape(String name, int status, String code, Call call) {
        // When
        var answer = call.send();

        // Then
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("content-type")).isEqualTo("application/json");
        assertThat(answer.header("x-request-id")).startsWith("req_");
        var body = answer.json();
        assertThat(body.fieldNames()).toIterable().containsExactly("error");
        assertThat(body.get("error").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("message", "type", "param", "code");
        assertThat(body.get("error").get("code").asText()).isEqualTo(code);
        assertThat(body.toString()).doesNotContain(ProbeResource.CANARY).doesNotContainIgnoringCase("exception");
    }

    @Test
    void aWrongMethodIsToldTheRightOnes() {
        assertThat(CALLER.delete("/v1/probe/caller").header("allow")).isEqualTo("GET");
        assertThat(CALLER.get("/v1/probe/admitted/5").header("allow")).isEqualTo("POST");
    }

    @Test
    void whatWillPassSaysWhenToComeBack() {
        assertThat(CALLER.get("/v1/probe/failure/away").header("retry-after")).isEqualTo("2");
    }

    @Test
    void aRuleOfTheWireNamesTheMember() {
        var error = CALLER.get("/v1/probe/failure/wire").json().get("error");

        assertThat(error.get("param").asText()).isEqualTo("input[0].role");
    }

    @Test
    void malformedJsonIsToldItsPlaceAndNotItsContent() {
        var error = CALLER.post("/v1/probe/echo", "{\"a\": " + ProbeResource.CANARY)
                .json()
                .get("error");

        assertThat(error.get("message").asText()).contains("line 1").doesNotContain("canary");
    }

    @Test
    void headAnswersWithoutABody() {
        var known = CALLER.send(CALLER.request("/v1/probe/caller").HEAD());
        var unknown = CALLER.send(CALLER.request("/v1/nothing").HEAD());

        assertThat(known.status()).isEqualTo(200);
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.http().body()).isEmpty();
    }

    @Test
    void optionsNamesTheMethods() {
        var answer = CALLER.method("OPTIONS", "/v1/probe/echo", "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("allow")).contains("POST");
    }

    @Test
    void everyAnswerHasARequestIdOfItsOwn() {
        assertThat(Stream.of("/v1/probe/caller", "/q/health/live", "/q/metrics", "/nothing", "/v1/probe/stream/whole/r")
                        .map(path -> CALLER.get(path).header("x-request-id")))
                .allSatisfy(name -> assertThat(name).matches("req_[0-9a-f]{32}"))
                .doesNotHaveDuplicates();
    }

    @Test
    void pagesOfOtherOriginsMayNotCallUnlessASettingSaysSo() {
        var answer = CALLER.send(CALLER.request("/v1/probe/caller").header("Origin", "https://page.example"));

        assertThat(answer.header("access-control-allow-origin")).isEmpty();
    }

    @Test
    void everyAnswerHasItsDate() {
        for (var path : List.of("/v1/probe/caller", "/q/health/live", "/nothing", "/v1/probe/stream/whole/d")) {
            var date = CALLER.get(path).header("date");

            assertThat(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from))
                    .as(path)
                    .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
            assertThat(date).hasSize("Sun, 06 Nov 1994 08:49:37 GMT".length());
        }
    }

    @Test
    void theGatewayGoesOnAfterAnUploadItRefused() {
        // Given
        CALLER.post("/v1/probe/echo", "\"" + "x".repeat(5_000_000) + "\"");

        // When
        var next = CALLER.post("/v1/probe/echo", "{\"a\":1}");

        // Then
        assertThat(next.status()).isEqualTo(200);
        assertThat(next.json().toString()).isEqualTo("{\"a\":1}");
    }
}
