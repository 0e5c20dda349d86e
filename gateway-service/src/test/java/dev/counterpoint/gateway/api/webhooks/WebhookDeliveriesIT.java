package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events on their way to receivers that do not behave.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
@Timeout(120)
class WebhookDeliveriesIT extends WebhooksOfAProject {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final List<ModelOutput> CUT = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4"},{"finish":"MAX_TOKENS"}]""");
    private static final List<ModelOutput> BROKEN = ModelScript.read("[{\"finish\":\"FAILED\"}]");

    @Test
    void everyEndOfABackgroundResponseIsAnEventAndNothingElseIs() throws Exception {
        // Given
        var secret = endpoint(receiver.url()).path("signing_secret").asText();
        Api.ofProject(tenant, "other").get(ENDPOINTS);
        // When
        var expected = new ArrayList<String>();
        expected.add("response.completed " + background(FOUR));
        expected.add("response.incomplete " + background(CUT));
        expected.add("response.failed " + background(BROKEN));
        var cancelled = background(List.of());
        caller.post("/v1/responses/" + cancelled + "/cancel", "");
        expected.add("response.cancelled " + cancelled);
        var deleted = background(List.of());
        caller.delete("/v1/responses/" + deleted);
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{\"model\":\"%s\",\"input\":\"2+2?\"}".formatted(FakeModels.MODEL));
        // Then
        var events = receiver.requests(4);
        assertThat(events).extracting(WebhookDeliveriesIT::event).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(events)
                .extracting(event -> event.headers().get("webhook-id"))
                .doesNotHaveDuplicates();
        assertThat(events).allSatisfy(event -> {
            var payload = WireJson.parse(event.body().getBytes(StandardCharsets.UTF_8));
            assertThat(payload.propertyStream().map(Map.Entry::getKey))
                    .containsExactly("id", "object", "type", "created_at", "data");
            assertThat(payload.path("data").propertyStream().map(Map.Entry::getKey))
                    .containsExactly("id");
            assertThat(payload.path("id").asText())
                    .startsWith("evt_")
                    .isEqualTo(event.headers().get("webhook-id"));
            assertThatCode(() -> verify(secret, event)).doesNotThrowAnyException();
        });
        assertThat(waiting()).isEmpty();
    }

    /// What a receiver does first, and how often a delivery is tried until it behaves.
    @ParameterizedTest
    @ValueSource(strings = {"refuses", "hangs", "redirects", "dies", "fails"})
    void anEventIsDeliveredOnceItsReceiverBehaves(String first) throws Exception {
        // Given
        var moved = new WebhookReceiver();
        moved.close();
        try (var inside = new WebhookReceiver()) {
            var url = first.equals("refuses") ? moved.url() : receiver.url();
            receiver.answers(
                    switch (first) {
                        case "hangs" -> WebhookReceiver.SILENCE;
                        case "redirects" ->
                            "HTTP/1.1 307 X\r\nLocation: " + inside.url() + "\r\nContent-Length: 0\r\n\r\n";
                        case "dies" -> WebhookReceiver.NOTHING;
                        default -> "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n";
                    });
            var endpoint = endpoint(url).path("id").asText();
            // When
            var response = background(FOUR);
            awaitAttempts(1);
            due();
            awaitAttempts(2);
            caller.post(ENDPOINTS + "/" + endpoint, "{\"url\":\"%s\"}".formatted(receiver.url()));
            receiver.answers(WebhookReceiver.OK);
            due();
            awaitAttempts(0);
            // Then
            var requests = receiver.requests();
            assertThat(requests).hasSize(first.equals("refuses") ? 1 : 3);
            assertThat(requests).extracting(WebhookDeliveriesIT::event).containsOnly("response.completed " + response);
            assertThat(requests.stream()
                            .map(it -> it.headers().get("webhook-id"))
                            .distinct())
                    .hasSize(1);
            assertThat(inside.requests()).isEmpty();
        }
    }

    @Test
    void anAddressThatIsNotAllowedGetsNothing() throws Exception {
        endpoint(receiver.url().replace("127.0.0.1", "127.0.0.2"));

        background(FOUR);
        awaitAttempts(1);

        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void aSecretThatDoesNotOpenSignsNothingAndCountsAsAnAttempt() throws Exception {
        // Given
        var path = ENDPOINTS + "/" + endpoint(receiver.url()).path("id").asText();
        database.createNativeMutationQuery("update webhook_endpoint set secret = 'AAAA' where tenant_id = :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate();
        // When
        background(FOUR);
        awaitAttempts(1);
        var tested = caller.post(path + "/test", "{\"event_type\":\"response.completed\"}");
        // Then
        assertThat(tested.json().at("/error/code").asText()).isEqualTo("webhook_secret_unreadable");
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void anEventOutlivesTheGatewayThatTookIt() throws Exception {
        // Given an endpoint that a gateway has leased before it died
        endpoint(receiver.url());
        lease("now() + interval '2 minutes'");
        var response = background(FOUR);
        while (waiting().isEmpty()) {
            Thread.sleep(10);
        }
        assertThat(stored.lease(100)).noneMatch(endpoint -> endpoint.tenant().equals(tenant));
        assertThat(receiver.requests()).isEmpty();
        // When
        lease("now()");
        // Then
        assertThat(event(receiver.requests(1).getFirst())).isEqualTo("response.completed " + response);
        awaitAttempts(0);
    }

    @Test
    void eventsOfOneResponseKeepTheirOrderWhenTheFirstOneFails() throws Exception {
        // Given two events of one response and one of another, of which only the first has failed
        endpoint(receiver.url());
        lease("now() + interval '2 minutes'");
        for (var event : List.of("a/response.failed", "a/response.completed", "b/response.completed")) {
            database.createNativeMutationQuery("""
                            insert into webhook_delivery (endpoint_id, tenant_id, event_id, event_type, response_id)
                            select id, tenant_id, 'evt_' || gen_random_uuid(), split_part(:event, '/', 2),
                                split_part(:event, '/', 1)
                            from webhook_endpoint where tenant_id = :tenant""")
                    .setParameter("event", event)
                    .setParameter("tenant", tenant)
                    .executeUpdate();
        }
        delay("response.failed", "1 hour");
        // When
        lease("now()");
        receiver.requests(1);
        awaitLease();
        // Then
        assertThat(receiver.requests()).extracting(WebhookDeliveriesIT::event).containsExactly("response.completed b");
        // When
        due();
        // Then
        assertThat(receiver.requests(3))
                .extracting(WebhookDeliveriesIT::event)
                .containsExactly("response.completed b", "response.failed a", "response.completed a");
    }

    @Test
    void anEventIsGivenUpAfterThreeDays() throws Exception {
        // Given
        receiver.answers(WebhookReceiver.NOTHING);
        endpoint(receiver.url());
        background(FOUR);
        awaitAttempts(1);
        // When
        database.createNativeMutationQuery("""
                        update webhook_delivery set due_at = now(), created_at = now() - interval '3 days'
                        where tenant_id = :tenant""").setParameter("tenant", tenant).executeUpdate();
        // Then
        awaitAttempts(0);
        assertThat(new Api("").get("/q/metrics").http().body())
                .asString()
                .contains("counterpoint_gateway_webhooks_total{outcome=\"given_up\"}")
                .doesNotContain("secret-of-the-url");
    }

    /// Waits for an event that has failed so often; 0: until none is left.
    private void awaitAttempts(int attempts) throws InterruptedException {
        while (attempts == 0 ? !waiting().isEmpty() : waiting().stream().noneMatch(failed -> failed >= attempts)) {
            Thread.sleep(10);
        }
    }

    /// Failed attempts of the events that are on their way.
    private List<Integer> waiting() {
        return database.createNativeQuery(
                        "select attempts from webhook_delivery where tenant_id = :tenant", Integer.class)
                .setParameter("tenant", tenant)
                .getResultList();
    }

    private void due() {
        database.createNativeMutationQuery("update webhook_delivery set due_at = now() where tenant_id = :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate();
    }

    private void delay(String type, String by) {
        database.createNativeMutationQuery("""
                        update webhook_delivery set due_at = now() + cast(:by as interval)
                        where tenant_id = :tenant and event_type = :type""")
                .setParameter("by", by)
                .setParameter("tenant", tenant)
                .setParameter("type", type)
                .executeUpdate();
    }

    private void lease(String until) {
        database.createNativeMutationQuery(
                        "update webhook_endpoint set leased_until = " + until + " where tenant_id = :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate();
    }

    /// Waits until no gateway brings events to the endpoint.
    private void awaitLease() throws InterruptedException {
        while (database.createNativeQuery(
                        "select leased_until > now() from webhook_endpoint where tenant_id = :tenant", Boolean.class)
                .setParameter("tenant", tenant)
                .getSingleResult()) {
            Thread.sleep(10);
        }
    }

    /// Such as `response.completed resp_1`.
    private static String event(WebhookReceiver.Request request) {
        var payload = WireJson.parse(request.body().getBytes(StandardCharsets.UTF_8));
        return payload.path("type").asText() + " " + payload.at("/data/id").asText();
    }

    /// @return its id
    private String background(List<ModelOutput> script) {
        FakeModels.next(script);
        var body = "{\"model\":\"%s\",\"input\":\"2+2?\",\"background\":true}".formatted(FakeModels.MODEL);
        return caller.post("/v1/responses", body).json().path("id").asText();
    }
}
