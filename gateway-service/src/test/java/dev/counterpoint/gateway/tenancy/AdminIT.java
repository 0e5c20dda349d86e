package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class AdminIT {
    private static final Api ADMIN = Api.admin();

    @ParameterizedTest(name = "with token \"{0}\": {1}")
    @CsvSource({"'', 401", "wrong, 401", "admin-token-of-the-test, 401", "admin-token-of-the-tests, 200"})
    void onlyTheTokenOpensIt(String token, int status) {
        assertThat(new Api(token).get("/admin/tenants").status()).isEqualTo(status);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"workers", "queues", "refusals"})
    void operatorsSeeWhatTheGatewayKnows(String list) {
        // When
        var answer = ADMIN.get("/admin/" + list);
        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("data").isArray()).isTrue();
        assertThat(answer.json().path("gateway").asText()).isNotEmpty();
        assertThat(new Api("").get("/admin/" + list).status()).isEqualTo(401);
        assertThat(ADMIN.post("/admin/" + list, "{}").status()).isEqualTo(405);
    }

    @Test
    void queuesAndRefusalsAreListedWhereThereAreNone() {
        // When
        var queues = ADMIN.get("/admin/queues").json().path("data");
        var refusals = ADMIN.get("/admin/refusals").json().path("data");
        // Then
        assertThat(queues.findValuesAsText("band")).containsExactly("high", "normal", "low");
        assertThat(queues.path(0).path("depth").asInt()).isZero();
        assertThat(refusals.findValuesAsText("reason")).contains("waiting", "tenant_open");
        assertThat(refusals.path(0).path("last_hour").isIntegralNumber()).isTrue();
    }

    @Test
    void aTenantIsMadeReadChangedAndDeleted() {
        // When
        var made = ADMIN.post("/admin/tenants", "{\"name\": \"whole-life\", \"requests_per_minute\": 5}");
        var path = "/admin/tenants/" + made.json().get("id").asText();
        var changed = ADMIN.method(
                "PATCH",
                path,
                "{\"requests_per_minute\": null, \"tokens_per_day\": 10," + " \"written_summaries\": true}");
        var read = ADMIN.get(path);
        var deleted = ADMIN.delete(path);

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().get("requests_per_minute").asInt()).isEqualTo(5);
        assertThat(made.json().get("tokens_per_day").isNull()).isTrue();
        assertThat(changed.json().get("requests_per_minute").isNull()).isTrue();
        assertThat(changed.json().get("tokens_per_day").asInt()).isEqualTo(10);
        assertThat(made.json().get("written_summaries").asBoolean()).isFalse();
        assertThat(changed.json().get("written_summaries").asBoolean()).isTrue();
        assertThat(read.json()).isEqualTo(changed.json());
        assertThat(deleted.json().get("deleted").asBoolean()).isTrue();
        assertThat(ADMIN.delete(path).status()).isEqualTo(404);
        assertThat(ADMIN.post("/admin/tenants", "{\"name\": \"whole-life\"}").status())
                .as("the name is free again")
                .isEqualTo(201);
    }

    @Test
    void noConsentIsGivenThatIsNotOnRecord() {
        var body = "{\"name\": \"consenting\", \"audit_opt_in\": {\"agreed_by\": \"Ada\"}}";

        assertThat(ADMIN.post("/admin/tenants", body).status()).isEqualTo(503);
        assertThat(ADMIN.post("/admin/tenants", "{\"name\": \"consenting\"}").status())
                .as("the name is free")
                .isEqualTo(201);
    }

    @Test
    void aNameIsGivenOnce() {
        ADMIN.post("/admin/tenants", "{\"name\": \"taken\"}");

        var again = ADMIN.post("/admin/tenants", "{\"name\": \"taken\"}");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.json().get("error").get("param").asText()).isEqualTo("name");
    }

    @ParameterizedTest(name = "{0} is refused for {1}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{}`, name",
                "`{\"name\": 5}`, name",
                "`{\"name\": \"two words\"}`, name",
                "`{\"name\": \"x\", \"requests_per_minute\": 0}`, requests_per_minute",
                "`{\"name\": \"x\", \"requests_per_minute\": 1.5}`, requests_per_minute",
                "`{\"name\": \"x\", \"requests_per_minute\": 3000000000}`, requests_per_minute",
                "`{\"name\": \"x\", \"tokens_per_day\": \"many\"}`, tokens_per_day",
                "`{\"name\": \"x\", \"tokens_per_dya\": 5}`, tokens_per_dya",
                "`{\"name\": \"x\", \"audit_opt_in\": true}`, audit_opt_in",
                "`{\"name\": \"x\", \"audit_opt_in\": {}}`, audit_opt_in.agreed_by",
                "`{\"name\": \"x\", \"written_summaries\": \"yes\"}`, written_summaries",
                "`{\"name\": \"x\\u0000\"}`, name"
            })
    void aMistakeNamesItsMember(String body, String member) {
        var answer = ADMIN.post("/admin/tenants", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("error").get("param").asText()).isEqualTo(member);
    }

    @ParameterizedTest(name = "{0} is refused for {1}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{\"scopes\": \"reasoning:raw\"}`, scopes",
                "`{\"scopes\": [\"reasoning:raw\", \"everything\"]}`, scopes[1]",
                "`{\"audit\": \"sometimes\"}`, audit",
                "`{\"project\": \"a|b\"}`, project",
                "`{\"expires_at\": 1}`, expires_at"
            })
    void aMistakeInAKeyNamesItsMember(String body, String member) {
        var answer = ADMIN.post("/admin/tenants/" + Api.newTenant("") + "/keys", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("error").get("param").asText()).isEqualTo(member);
    }

    @Test
    void aKeyIsShownOnceAndThenOnlyRecognised() {
        // Given
        var tenant = Api.newTenant("");
        var secret = Api.newKey(tenant, "reasoning:raw").get("secret").asText();

        // When
        var list = ADMIN.get("/admin/tenants/" + tenant + "/keys");

        // Then
        assertThat(secret).matches("cp-[A-Za-z0-9_-]{43}");
        assertThat(list.json().toString()).doesNotContain(secret);
        var key = list.json().get("data").get(0);
        assertThat(key.get("prefix").asText()).isEqualTo(secret.substring(0, 7) + "…");
        assertThat(key.get("scopes").get(0).asText()).isEqualTo("reasoning:raw");
        assertThat(key.get("audit").asText()).isEqualTo("ask");
        assertThat(key.get("project").asText()).isEqualTo("default");
        assertThat(key.get("last_used_at").isNull()).isTrue();
    }

    @Test
    void aKeyBelongsToTheProjectThatItWasMadeFor() {
        var path = "/admin/tenants/" + Api.newTenant("") + "/keys";

        var made = ADMIN.post(path, "{\"project\": \"search\"}");

        assertThat(made.json().at("/key/project").asText()).isEqualTo("search");
        assertThat(ADMIN.get(path).json().at("/data/0/project").asText()).isEqualTo("search");
    }

    @Test
    void keysOfOneTenantAreNotThoseOfAnother() {
        // Given
        var mine = Api.newTenant("");
        var key = Api.newKey(mine).get("key").get("id").asText();
        var other = Api.newTenant("");

        // Then
        assertThat(ADMIN.delete("/admin/tenants/" + other + "/keys/" + key).status())
                .isEqualTo(404);
        assertThat(ADMIN.get("/admin/tenants/" + other + "/keys").json().get("data"))
                .isEmpty();
        assertThat(ADMIN.get("/admin/tenants/tenant_0/keys").status()).isEqualTo(404);
    }

    @Test
    void aListComesInPages() {
        // Given
        var tenant = Api.newTenant("");
        for (int i = 0; i < 5; i++) {
            Api.newKey(tenant);
        }

        // When
        var seen = new ArrayList<String>();
        var path = "/admin/tenants/" + tenant + "/keys?limit=2";
        var page = ADMIN.get(path).json();
        page.get("data").forEach(key -> seen.add(key.get("id").asText()));
        while (page.get("has_more").asBoolean()) {
            page = ADMIN.get(path + "&after=" + page.get("last_id").asText()).json();
            page.get("data").forEach(key -> seen.add(key.get("id").asText()));
        }

        // Then
        assertThat(seen).hasSize(5).doesNotHaveDuplicates();
        assertThat(ADMIN.get("/admin/tenants?limit=0").status()).isEqualTo(400);
    }
}
