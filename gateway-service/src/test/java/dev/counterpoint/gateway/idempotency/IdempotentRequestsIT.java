package dev.counterpoint.gateway.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.LeavingClient;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that come more than once. A model that is asked a second time says nothing here, and its client would wait
/// for ever.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
@Timeout(120)
class IdempotentRequestsIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final List<ModelOutput> FAILED = ModelScript.read("[{\"stop\":\"ATTEMPTS_EXHAUSTED\"}]");
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");
    private final String key = UUID.randomUUID().toString();

    private final TestSuperuser database = new TestSuperuser();

    @ParameterizedTest(name = "{0}{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/responses|",
                "/v1/responses|,\"store\":false",
                "/v1/responses|,\"stream\":true",
                "/v1/chat/completions|",
                "/v1/chat/completions|,\"store\":true",
                "/v1/chat/completions|,\"stream\":true"
            })
    void whoeverComesAgainGetsTheSameBytes(String path, String more) {
        // Given
        FakeModels.next(FOUR);
        var body = body(path, more == null ? "" : more);

        // When
        var first = post(path, body);
        var again = post(path, body);

        // Then
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("idempotent-replayed")).isEmpty();
        assertThat(again.header("idempotent-replayed")).isEqualTo("true");
        assertThat(text(again)).isEqualTo(text(first)).contains("4");
    }

    @ParameterizedTest(name = "{0}{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/responses|,\"stream\":true",
                "/v1/responses|,\"background\":true",
                "/v1/chat/completions|,\"stream\":true",
                "/v1/chat/completions|,\"stream\":false"
            })
    void ofManyAtOnceOneRuns(String path, String more) throws Exception {
        // Given
        FakeModels.next(FOUR);
        int before = FakeModels.asked();
        var body = body(path, more);

        // When
        var answers = new ArrayList<Api.Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = threads.invokeAll(IntStream.range(0, 30)
                    .<Callable<Api.Answer>>mapToObj(_ -> () -> post(path, body))
                    .toList());
            for (var call : calls) {
                answers.add(call.get());
            }
        }

        // Then
        assertThat(FakeModels.asked() - before).isEqualTo(1);
        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers).extracting(IdempotentRequestsIT::text).containsOnly(text(answers.getFirst()));
        assertThat(answers)
                .filteredOn(answer -> answer.header("idempotent-replayed").isEmpty())
                .hasSize(1);
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() {
        // Given
        FakeModels.next(FOUR);
        post(RESPONSES, body(RESPONSES, ""));

        // When
        var otherBody = post(RESPONSES, body(RESPONSES, ",\"temperature\":0"));
        var otherPath = post(CHAT, body(CHAT, ""));
        var otherKey = post(Api.ofTenant(tenant, "reasoning:raw"), RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(List.of(otherBody, otherPath, otherKey)).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.json().at("/error/code").asText()).isEqualTo("idempotency_key_reused");
            assertThat(answer.json().at("/error/param").asText()).isEqualTo("Idempotency-Key");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
        });
    }

    @Test
    void aKeyOfOneTenantIsNoneOfAnothers() {
        // Given
        FakeModels.next(FOUR);
        FakeModels.next(FOUR);
        var first = post(RESPONSES, body(RESPONSES, ""));

        // When
        var other = post(Api.newCaller(), RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(other.json().path("id")).isNotEqualTo(first.json().path("id"));
    }

    @ParameterizedTest
    @CsvSource({"/v1/responses", "/v1/chat/completions"})
    void whatFailedMayBeAskedForAgain(String path) {
        // Given
        FakeModels.next(FAILED);
        FakeModels.next(FOUR);

        // When
        var failed = post(path, body(path, ""));
        var again = post(path, body(path, ""));

        // Then
        assertThat(failed.status()).isEqualTo(503);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("idempotent-replayed")).isEmpty();
    }

    @Test
    void whatWasRefusedMayBeAskedForAgain() {
        // Given
        var limited = Api.ofTenant(Api.newTenant("\"tokens_per_day\": 1"));
        FakeModels.next(FOUR);
        limited.post(RESPONSES, body(RESPONSES, ""));

        // When
        var refused = post(limited, RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(refused.status()).isEqualTo(429);
        assertThat(claims()).isZero();
    }

    @Test
    void aResponseGoesOnWhenItsClientLeavesForTheClientThatComesBack() throws Exception {
        // Given a client that leaves while the model says nothing
        FakeModels.next(List.of());
        var body = body(CHAT, ",\"stream\":true");
        LeavingClient.send(request(caller, CHAT, body).build());
        var generation = FakeModels.last().generation();

        // When
        FOUR.forEach(generation::say);
        var again = post(CHAT, body);

        // Then
        assertThat(text(again)).contains("4").endsWith("data: [DONE]\n\n");
        assertThat(again.header("idempotent-replayed")).isEqualTo("true");
    }

    @Test
    void whatWasDeletedDoesNotComeBack() {
        // Given
        FakeModels.next(FOUR);
        var id = post(RESPONSES, body(RESPONSES, "")).json().path("id").asText();
        caller.delete(RESPONSES + "/" + id);

        // When
        var again = post(RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(again.status()).isEqualTo(404);
    }

    @Test
    void aKeyWhoseGatewayDiedBeforeItsRequestWasInTheLogIsFreeAfterTheDeadline() {
        // Given
        claim(Instant.now().minus(Duration.ofMinutes(16)));
        FakeModels.next(FOUR);

        // When
        var answer = post(RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("idempotent-replayed")).isEmpty();
    }

    @Test
    void untilThenItIsToldToComeBack() {
        // Given
        claim(Instant.now());

        // When
        var answer = post(RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo("idempotency_key_in_use");
        assertThat(answer.header("x-should-retry")).isEqualTo("true");
        assertThat(answer.header("retry-after")).isEqualTo("2");
    }

    @Test
    @DisplayName("f11: a key of a gateway that died before frame 0 is free within seconds")
    void aKeyOfAGatewayThatIsGoneIsFreeAtOnce() {
        // Given
        claim(Instant.now().minusSeconds(16));
        database.createNativeMutationQuery(
                        "update idempotency_key set gateway = 'gateway-gone' where tenant_id = :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate();
        FakeModels.next(FOUR);

        // When
        var answer = post(RESPONSES, body(RESPONSES, ""));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("idempotent-replayed")).isEmpty();
    }

    @Test
    void aKeyThatIsNoneIsRefused() {
        for (var none : List.of("two words", "", "x".repeat(256))) {
            var request = request(caller, RESPONSES, body(RESPONSES, "")).setHeader("Idempotency-Key", none);

            var answer = caller.send(request);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().at("/error/param").asText()).isEqualTo("Idempotency-Key");
        }
    }

    /// As of a gateway that died right after it.
    private void claim(Instant acceptedAt) {
        var response = ResponseId.create(acceptedAt.toEpochMilli(), 3);
        FakeModels.next(FOUR);
        post(RESPONSES, body(RESPONSES, ""));
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(
                                "update idempotency_key set response = :response where tenant_id = :tenant")
                        .setParameter("response", response.toString())
                        .setParameter("tenant", tenant)
                        .executeUpdate());
    }

    private long claims() {
        return database.createNativeQuery("select count(*) from idempotency_key where name = :name", Long.class)
                .setParameter("name", key)
                .getSingleResult();
    }

    private Api.Answer post(String path, String body) {
        return post(caller, path, body);
    }

    private Api.Answer post(Api by, String path, String body) {
        return by.send(request(by, path, body));
    }

    private java.net.http.HttpRequest.Builder request(Api by, String path, String body) {
        return by.request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body));
    }

    private static String body(String path, String more) {
        var question =
                path.equals(CHAT) ? "\"messages\":[{\"role\":\"user\",\"content\":\"2+2?\"}]" : "\"input\":\"2+2?\"";
        return "{\"model\":\"%s\",%s%s}".formatted(FakeModels.MODEL, question, more);
    }

    private static String text(Api.Answer answer) {
        return new String(answer.http().body(), StandardCharsets.UTF_8);
    }
}
