package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Endpoints of webhooks.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
@Timeout(120)
class WebhooksIT extends WebhooksOfAProject {
    @Test
    void anEndpointIsMadeReadListedChangedAndDeleted() {
        // Given
        var made = endpoint(receiver.url());
        var id = made.path("id").asText();
        var second = endpoint("https://hooks.example/b").path("id").asText();
        // When
        var read = caller.get(ENDPOINTS + "/" + id).json();
        var listed = caller.get(ENDPOINTS + "?limit=1").json();
        var rest = caller.get(ENDPOINTS + "?after=" + second).json();
        var same = caller.post(ENDPOINTS + "/" + id, "{}").json();
        var renamed = caller.post(ENDPOINTS + "/" + id, "{\"name\":\"b\",\"event_types\":[\"response.failed\"]}");
        var gone = caller.delete(ENDPOINTS + "/" + id);
        // Then
        assertThat(id).startsWith("whe_");
        assertThat(made.path("signing_secret").asText()).startsWith("whsec_");
        assertThat(made.path("signing_secret").asText())
                .endsWith(made.path("signing_secret_hint").asText().substring("whsec_…".length()));
        assertThat(read.has("signing_secret")).isFalse();
        assertThat(read.path("object").asText()).isEqualTo("webhook_endpoint");
        assertThat(read.path("url").asText()).isEqualTo(receiver.url());
        assertThat(read.path("event_types")).hasSize(4);
        assertThat(same).isEqualTo(read);
        assertThat(listed.at("/data/0/id").asText()).as("newest first").isEqualTo(second);
        assertThat(listed.path("has_more").asBoolean()).isTrue();
        assertThat(rest.at("/first_id").asText()).isEqualTo(id);
        assertThat(rest.path("has_more").asBoolean()).isFalse();
        assertThat(renamed.json().path("name").asText()).isEqualTo("b");
        assertThat(renamed.json().path("event_types").toString()).isEqualTo("[\"response.failed\"]");
        assertThat(gone.json().toString()).contains("\"deleted\":true", "\"object\":\"webhook_endpoint.deleted\"", id);
        assertThat(caller.get(ENDPOINTS + "/" + id).status()).isEqualTo(404);
        assertThat(caller.delete(ENDPOINTS + "/" + second).status()).isEqualTo(200);
        assertThat(caller.get(ENDPOINTS).json().toString())
                .contains("\"data\":[]", "\"first_id\":null", "\"last_id\":null");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `{}`                                                                                        | name
            `{"name":"a","event_types":["response.failed"]}`                                            | url
            `{"name":"a","url":"https://a.example"}`                                                    | event_types
            `{"name":"a","url":"https://a.example","event_types":[]}`                                   | event_types
            `{"name":"a","url":"https://a.example","event_types":["response.failed","batch.failed"]}`   | event_types[1]
            `{"name":" ","url":"https://a.example","event_types":["response.failed"]}`                  | name
            `{"name":7,"url":"https://a.example","event_types":["response.failed"]}`                    | name
            `{"name":"a","url":"ftp://a.example","event_types":["response.failed"]}`                    | url
            `{"name":"a","url":"/hook","event_types":["response.failed"]}`                              | url
            `{"name":"a","url":"https://a:b@a.example/","event_types":["response.failed"]}`             | url
            `{"name":"a","url":"https://a.example/#a","event_types":["response.failed"]}`               | url
            `{"name":"a","url":"https://a.example:70000/","event_types":["response.failed"]}`           | url
            `{"name":"a","url":"https://a b/","event_types":["response.failed"]}`                       | url
            `{"name":"a","url":"https:///x","event_types":["response.failed"]}`                         | url
            """)
    void aBrokenRuleIsRefusedByTheNameOfItsField(String body, String field) {
        var refused = caller.post(ENDPOINTS, body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/error/param").asText()).isEqualTo(field);
        assertThat(caller.get(ENDPOINTS).json().path("data")).isEmpty();
    }

    @Test
    void aProjectHasTwentyEndpointsAtMost() {
        for (int i = 0; i < 20; i++) {
            endpoint("https://hooks.example/" + i);
        }

        assertThat(made(caller, "https://hooks.example/").status()).isEqualTo(400);
        assertThat(caller.get(ENDPOINTS).json().path("data")).hasSize(20);
    }

    @Test
    void onlyKeysWithTheScopeGetInAndOnlyToTheirOwnProject() {
        // Given
        var path = ENDPOINTS + "/" + endpoint(receiver.url()).path("id").asText();
        var unscoped = Api.ofTenant(tenant, "reasoning:summary", "reasoning:raw");
        var project = Api.admin()
                .post("/admin/tenants/" + tenant + "/keys", "{\"project\":\"other\",\"scopes\":[\"webhooks\"]}")
                .json();
        var neighbours = List.of(new Api(project.path("secret").asText()), Api.ofTenant(Api.newTenant(""), "webhooks"));
        // Then
        assertThat(List.of(
                        unscoped.get(ENDPOINTS),
                        made(unscoped, receiver.url()),
                        unscoped.get(path),
                        unscoped.post(path, "{}"),
                        unscoped.delete(path),
                        unscoped.post(path + "/rotate_secret", "{}"),
                        unscoped.post(path + "/test", "{\"event_type\":\"response.failed\"}")))
                .allSatisfy(answer -> {
                    assertThat(answer.status()).isEqualTo(403);
                    assertThat(answer.json().at("/error/message").asText()).contains("webhooks");
                });
        assertThat(neighbours).allSatisfy(other -> {
            assertThat(other.get(ENDPOINTS).json().path("data")).isEmpty();
            assertThat(List.of(
                            other.get(path),
                            other.post(path, "{}"),
                            other.delete(path),
                            other.post(path + "/rotate_secret", "{}"),
                            other.post(path + "/test", "{\"event_type\":\"response.failed\"}")))
                    .allMatch(answer -> answer.status() == 404);
        });
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void aRotatedSecretSignsAloneUnlessTheOldOneIsKept() throws Exception {
        // Given
        var made = endpoint(receiver.url());
        var path = ENDPOINTS + "/" + made.path("id").asText();
        var first = made.path("signing_secret").asText();
        // When
        var kept = caller.post(path + "/rotate_secret", "{\"keep_old_secret_active_for_24_hours\":true}");
        var tested = caller.post(path + "/test", "{\"event_type\":\"response.completed\"}");
        var second = kept.json().path("signing_secret").asText();
        var third = caller.post(path + "/rotate_secret", "")
                .json()
                .path("signing_secret")
                .asText();
        caller.post(path + "/test", "{\"event_type\":\"response.failed\"}");
        // Then
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertThat(tested.json().toString())
                .contains("\"object\":\"webhook_endpoint.test\"", "\"status_code\":200", "\"success\":true");
        var requests = receiver.requests(2);
        assertThatCode(() -> verify(first, requests.getFirst())).doesNotThrowAnyException();
        assertThatCode(() -> verify(second, requests.getFirst())).doesNotThrowAnyException();
        assertThatCode(() -> verify(third, requests.getLast())).doesNotThrowAnyException();
        assertThat(requests.getLast().headers().get("webhook-signature")).doesNotContain(" ");
        assertThat(caller.post(path + "/rotate_secret", "{\"keep_old_secret_active_for_24_hours\":1}")
                        .json()
                        .at("/error/param")
                        .asText())
                .isEqualTo("keep_old_secret_active_for_24_hours");
        assertThat(stored(first) + stored(second) + stored(third)).isZero();
    }

    @Test
    void aTestSaysWhyItFailed() {
        // Given
        var path = ENDPOINTS + "/" + endpoint("http://10.0.0.1/").path("id").asText();
        // When
        var closed = caller.post(path + "/test", "{\"event_type\":\"response.completed\"}");
        caller.post(path, "{\"url\":\"http://nowhere.invalid/\"}");
        var unreachable = caller.post(path + "/test", "{\"event_type\":\"response.completed\"}");
        caller.post(path, "{\"url\":\"%s\"}".formatted(receiver.url()));
        receiver.answers("HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n");
        var answered = caller.post(path + "/test", "{\"event_type\":\"response.completed\"}");
        // Then
        assertThat(closed.status()).isEqualTo(400);
        assertThat(closed.json().at("/error/code").asText()).isEqualTo("webhook_address_not_allowed");
        assertThat(unreachable.json().at("/error/code").asText()).isEqualTo("webhook_unreachable");
        assertThat(answered.json().path("status_code").asInt()).isEqualTo(404);
        assertThat(caller.post(path + "/test", "{\"event_type\":\"batch.completed\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void theEndpointsOfADeletedTenantGo() {
        // Given
        var other = Api.newTenant("");
        assertThat(made(Api.ofTenant(other, "webhooks"), receiver.url()).status())
                .isEqualTo(200);
        // When
        Api.admin().delete("/admin/tenants/" + other);
        // Then
        assertThat(database.createNativeQuery(
                                "select count(*) from webhook_endpoint where tenant_id = :tenant", Long.class)
                        .setParameter("tenant", other)
                        .getSingleResult())
                .isZero();
    }

    @Test
    void secretsAreSealedAgainAndThoseWhoseTimeIsOverGo() throws Exception {
        // Given
        var path = ENDPOINTS + "/" + endpoint(receiver.url()).path("id").asText();
        var secret = caller.post(path + "/rotate_secret", "{\"keep_old_secret_active_for_24_hours\":true}")
                .json()
                .path("signing_secret")
                .asText();
        var before = sealed();
        database.createNativeMutationQuery("""
                        update webhook_endpoint set sealed_at = now() - interval '1 hour', previous_until = now()
                        where tenant_id = :tenant""").setParameter("tenant", tenant).executeUpdate();
        // When
        stored.reseal().run();
        // Then
        assertThat(sealed()).hasSize(1).doesNotContainAnyElementsOf(before);
        caller.post(path + "/test", "{\"event_type\":\"response.failed\"}");
        var request = receiver.requests(1).getFirst();
        assertThatCode(() -> verify(secret, request)).doesNotThrowAnyException();
    }

    private List<String> sealed() {
        return database.createNativeQuery("""
                        select secret from webhook_endpoint where tenant_id = :tenant
                        union all
                        select previous_secret from webhook_endpoint
                        where tenant_id = :tenant and previous_secret is not null""", String.class)
                .setParameter("tenant", tenant)
                .getResultList();
    }

    /// Rows that hold a secret as it is.
    private long stored(@Nullable String secret) {
        return database.createNativeQuery(
                        "select count(*) from webhook_endpoint e where strpos(cast(e as text), :secret) > 0",
                        Long.class)
                .setParameter("secret", String.valueOf(secret))
                .getSingleResult();
    }
}
