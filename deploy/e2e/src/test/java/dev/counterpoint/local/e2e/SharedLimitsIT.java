package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.FrameKind;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many requests of one tenant at once, half of them at either of two gateways: what the tenant may use, and what its
/// idempotency keys stand for, holds for both together.
@ExtendWith(SharedSuite.class)
class SharedLimitsIT {
    private static final String LONG = "\"input\":\"Count from 1 to 4000.\",\"background\":true";
    private static final String SHORT = "\"input\":\"What is 17 plus 25?\"";
    private static final double NANOS_PER_MINUTE = 60e9;

    private static RunningSuite suite;
    private static List<RunningSuite.Service> gateways;
    private static ApiClient admin;

    @BeforeAll
    static void connect() {
        suite = SharedSuite.suite();
        gateways = SharedSuite.gateways();
        admin = suite.client(RunningSuite.ADMIN_TOKEN);
    }

    @Test
    void m2ATenantThatIsMadeWithoutLimitsHasTheUsualOnes() {
        // Then
        assertThat(limitsOf("{\"name\":\"usual\"}")).containsExactly("5000", "null");
        assertThat(limitsOf("{\"name\":\"own\",\"requests_per_minute\":7}")).containsExactly("7", "null");
        assertThat(limitsOf("{\"name\":\"free\",\"requests_per_minute\":null}")).containsExactly("null", "null");
    }

    /// Requests a minute and responses at once, as JSON.
    private static List<String> limitsOf(String newTenant) {
        var made = admin.post("/admin/tenants", newTenant).body();
        return List.of(
                made.path("requests_per_minute").toString(),
                made.path("concurrent_streams").toString());
    }

    @Test
    void noMoreAreUnderWayThanMayBe() throws Exception {
        // Given
        var clients = tenant("\"concurrent_streams\": 3");

        // When
        var answers = atOnce(clients, 40, new Ask("/v1/responses", LONG, null));

        // Then: none of them ends within a minute
        assertThat(admitted(answers)).isEqualTo(3);

        // When
        var first = ids(answers).getFirst();
        clients.getLast().post("/v1/responses/" + first + "/cancel", "");

        // Then
        assertThat(admitted(atOnce(clients, 10, new Ask("/v1/responses", LONG, null))))
                .isEqualTo(1);
        ids(answers).forEach(id -> clients.getFirst().delete("/v1/responses/" + id));
    }

    @Test
    void noMoreComeInAMinuteThanMay() throws Exception {
        // Given
        var clients = tenant("\"requests_per_minute\": 10");

        // When
        long before = System.nanoTime();
        var answers = atOnce(clients, 40, new Ask("/v1/responses", SHORT, null));
        double minutes = (System.nanoTime() - before) / NANOS_PER_MINUTE;

        // Then
        assertThat(admitted(answers)).isBetween(10L, 10 + (long) Math.ceil(10 * minutes));
    }

    @Test
    void tokensThatAreKeptAtOneGatewayAreKeptAtTheOther() throws Exception {
        // Given room for two responses that may have a thousand tokens, and for a third to begin
        var clients = tenant("\"tokens_per_minute\": 2500");

        // When
        var answers = atOnce(clients, 30, new Ask("/v1/responses", LONG + ",\"max_output_tokens\":1000", null));

        // Then
        assertThat(admitted(answers)).isEqualTo(3);
        ids(answers).forEach(id -> clients.getFirst().delete("/v1/responses/" + id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/responses|\"input\":\"Count from 1 to 30.\",\"stream\":true",
                "/v1/responses|\"input\":\"Count from 1 to 20.\",\"store\":false",
                "/v1/responses|\"input\":\"Count from 1 to 20.\",\"background\":true",
                "/v1/chat/completions|\"messages\":[{\"role\":\"user\",\"content\":\"Count to 20.\"}],\"stream\":true"
            })
    void ofDuplicatesOneRunsAndAllGetItsAnswer(String request) throws Exception {
        // Given
        var clients = tenant("");
        var path = request.substring(0, request.indexOf('|'));
        var members = request.substring(request.indexOf('|') + 1);
        long before = accepted();

        // When
        var key = UUID.randomUUID().toString();
        var answers = atOnce(clients, 16, new Ask(path, members, key));

        // Then
        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200));
        assertThat(accepted() - before).isEqualTo(1);
        assertThat(answers)
                .extracting(answer -> String.valueOf(answer.http().body()))
                .containsOnly(String.valueOf(answers.getFirst().http().body()));
        assertThat(ask(clients.getLast(), new Ask(path, members + ",\"temperature\":0.5", key))
                        .status())
                .isEqualTo(409);
    }

    private static long accepted() {
        return FramesLog.read(suite.kafka.bootstrapServers()).count(FrameKind.ACCEPTED);
    }

    /// A new tenant's client of either gateway.
    private static List<ApiClient> tenant(String settings) {
        var members = settings.isEmpty() ? "" : "," + settings;
        var tenant = admin.post("/admin/tenants", "{\"name\":\"t%d\"%s}".formatted(System.nanoTime(), members))
                .body();
        var keys = "/admin/tenants/" + tenant.path("id").asText() + "/keys";
        var key = admin.post(keys, "{\"scopes\":[\"reasoning:summary\"]}")
                .body()
                .path("secret")
                .asText();
        return gateways.stream().map(gateway -> suite.client(gateway, key)).toList();
    }

    /// @param members of the body, beside the model
    /// @param key by which the request may come again, or null
    private record Ask(String path, String members, String key) {}

    private static List<ApiClient.Answer> atOnce(List<ApiClient> clients, int calls, Ask ask) throws Exception {
        var answers = new ArrayList<ApiClient.Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = threads.invokeAll(IntStream.range(0, calls)
                    .<Callable<ApiClient.Answer>>mapToObj(i -> () -> ask(clients.get(i % clients.size()), ask))
                    .toList());
            for (var one : asked) {
                answers.add(one.get());
            }
        }
        return answers;
    }

    private static ApiClient.Answer ask(ApiClient client, Ask ask) {
        var body = "{\"model\":\"%s\",%s}".formatted(SharedSuite.SLOW, ask.members);
        var request = client.request(ask.path)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send((ask.key == null ? request : request.header("Idempotency-Key", ask.key)).build());
    }

    private static long admitted(List<ApiClient.Answer> answers) {
        assertThat(answers)
                .extracting(ApiClient.Answer::status)
                .containsAnyOf(200)
                .allMatch(s -> s == 200 || s == 429);
        return answers.stream().filter(answer -> answer.status() == 200).count();
    }

    private static List<String> ids(List<ApiClient.Answer> answers) {
        return answers.stream()
                .map(ApiClient.Answer::body)
                .map(body -> body.path("id"))
                .filter(id -> !id.isMissingNode())
                .map(JsonNode::asText)
                .toList();
    }
}
