package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.turn.FakeModels;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/// An endpoint's project, and a receiver of its own.
abstract class WebhooksOfAProject {
    static final String ENDPOINTS = "/v1/webhook_endpoints";
    static final String ALL =
            "\"response.completed\",\"response.failed\",\"response.cancelled\",\"response.incomplete\"";
    final String tenant = Api.newTenant("");
    final Api caller = Api.ofTenant(tenant, "webhooks");
    final WebhookReceiver receiver = new WebhookReceiver();
    final TestSuperuser database = new TestSuperuser();

    @Inject
    StoredWebhooks stored;

    @AfterEach
    void stopTheReceiver() {
        receiver.close();
        FakeModels.clear();
        database.createNativeMutationQuery("delete from webhook_endpoint where tenant_id = :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate();
    }

    JsonNode endpoint(String url) {
        var made = made(caller, url);
        assertThat(made.status()).as(made.json().toString()).isEqualTo(200);
        return made.json();
    }

    static Api.Answer made(Api by, String url) {
        return by.post(ENDPOINTS, "{\"name\":\"a\",\"url\":\"%s\",\"event_types\":[%s]}".formatted(url, ALL));
    }

    static void verify(String secret, WebhookReceiver.Request request) throws Exception {
        var headers = request.headers().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        new Webhook(secret).verify(request.body(), headers);
    }
}
