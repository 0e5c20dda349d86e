package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.ProbeResource;
import dev.counterpoint.gateway.TestSuperuser;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class AccessIT {
    private final TestSuperuser database = new TestSuperuser();

    @Inject
    KeyBootstrap bootstrap;

    @Test
    void aKeyOpensTheApiForItsTenant() {
        // Given
        var tenant = Api.newTenant("");
        var created = Api.newKey(tenant, "reasoning:summary");

        // When
        var answer = new Api(created.get("secret").asText()).get("/v1/probe/caller");

        // Then
        assertThat(answer.json().get("tenant").asText()).isEqualTo(tenant);
        assertThat(answer.json().get("key").asText())
                .isEqualTo(created.get("key").get("id").asText());
        assertThat(answer.json().get("virtual").asBoolean()).isTrue();
    }

    @ParameterizedTest(name = "limits: {0}")
    @ValueSource(strings = {"", "\"requests_per_minute\": 5"})
    void whoOpensTheApiLeavesTheTenantsRowAsItIs(String limits) {
        // Given: a row that is written has another version
        var tenant = Api.newTenant(limits);
        long before = version(tenant);
        // When
        Api.ofTenant(tenant).get("/v1/probe/caller");
        // Then
        assertThat(version(tenant)).isEqualTo(before);
    }

    private long version(String tenant) {
        return database.createNativeQuery(
                        "select cast(cast(xmin as text) as bigint) from tenant where id = :id", Long.class)
                .setParameter("id", tenant)
                .getSingleResult();
    }

    @Test
    void nothingUnderV1IsOpenWithoutAKey() {
        assertThat(ProbeResource.CLOSED).allSatisfy(path -> {
            assertThat(new Api("").get(path).status()).isEqualTo(401);
            assertThat(Api.admin().get(path).status()).isEqualTo(401);
            assertThat(new Api("")
                            .send(new Api("")
                                    .request(path)
                                    .header("Authorization", "Basic Og==")
                                    .GET())
                            .status())
                    .isEqualTo(401);
        });
    }

    @Test
    void noSpellingOfAPathGetsAroundTheDoor() {
        var caller = Api.newCaller("reasoning:raw");

        assertThat(List.of(
                        "/admin/tenants",
                        "/admin/tenants/",
                        "//admin/tenants",
                        "/v1/../admin/tenants",
                        "/admin;x=/v1/tenants",
                        "/%61dmin/tenants",
                        "/ADMIN/tenants"))
                .allSatisfy(path -> assertThat(caller.get(path).status()).isIn(401, 404));
    }

    @Test
    void aRevokedKeyOpensNothing() {
        // Given
        var tenant = Api.newTenant("");
        var created = Api.newKey(tenant);
        var caller = new Api(created.get("secret").asText());
        var path = "/admin/tenants/" + tenant + "/keys/"
                + created.get("key").get("id").asText();

        // When
        var revoked = Api.admin().delete(path);

        // Then
        assertThat(revoked.status()).isEqualTo(200);
        assertThat(caller.get("/v1/probe/caller").status()).isEqualTo(401);
        assertThat(Api.admin().delete(path).status()).as("again").isEqualTo(200);
    }

    @Test
    void aTenantThatIsGoneTakesItsKeysWithIt() {
        // Given
        var tenant = Api.newTenant("");
        var caller = new Api(Api.newKey(tenant).get("secret").asText());

        // When
        Api.admin().delete("/admin/tenants/" + tenant);

        // Then
        assertThat(caller.get("/v1/probe/caller").status()).isEqualTo(401);
        assertThat(Api.admin().get("/admin/tenants/" + tenant).status()).isEqualTo(404);
    }

    @Test
    void rawReasoningTakesItsScope() {
        assertThat(Api.newCaller("reasoning:raw").get("/v1/probe/raw").status()).isEqualTo(200);

        var refused = Api.newCaller("reasoning:summary").get("/v1/probe/raw");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("error").get("message").asText()).contains("reasoning:raw");
    }

    @Test
    void theSecretOfAKeyIsNowhereInTheDatabase() {
        // Given
        var secret = Api.newKey(Api.newTenant("")).get("secret").asText();

        // When
        var rows = database.createNativeQuery("select cast(k as text) from api_key k", String.class)
                .getResultList();

        // Then
        assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(secret.substring(8)));
    }

    @Test
    void theBootstrapFileCanBeReadAgainAndByManyAtOnce() throws Exception {
        // Given
        var secret = ApiKey.create();
        var file = List.of("races " + secret.secret() + " reasoning:raw");

        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var runs = threads.invokeAll(IntStream.range(0, 8)
                    .<Callable<Boolean>>mapToObj(_ -> () -> {
                        bootstrap.install(BootstrapKeys.parse(file));
                        return true;
                    })
                    .toList());
            for (var run : runs) {
                assertThat(run.get()).isTrue();
            }
        }

        // Then
        assertThat(new Api(secret.secret()).get("/v1/probe/raw").status()).isEqualTo(200);
        assertThat(database.createNativeQuery("select count(*) from tenant where name = 'races'", Long.class)
                        .getSingleResult())
                .isEqualTo(1);
    }

    @Test
    void theBootstrapFileDoesNotBringBackARevokedKey() {
        // Given
        var secret = ApiKey.create();
        var file = BootstrapKeys.parse(List.of("revokes " + secret.secret()));
        bootstrap.install(file);
        var key = new Api(secret.secret()).get("/v1/probe/caller").json();
        Api.admin()
                .delete("/admin/tenants/" + key.get("tenant").asText() + "/keys/"
                        + key.get("key").asText());

        // When
        bootstrap.install(file);

        // Then
        assertThat(new Api(secret.secret()).get("/v1/probe/caller").status()).isEqualTo(401);
    }
}
