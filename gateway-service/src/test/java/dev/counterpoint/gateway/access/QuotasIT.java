package dev.counterpoint.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class QuotasIT {
    @Inject
    StatelessSession database;

    @Inject
    Quotas quotas;

    @Test
    void manyAtOnceGetExactlyAsManyPlacesAsThereAre() throws Exception {
        // Given
        var tenant = Api.newTenant("\"requests_per_minute\": 20");
        var caller = new Api(Api.newKey(tenant).get("secret").asText());

        // When
        int admitted = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = threads.invokeAll(IntStream.range(0, 60)
                    .<Callable<Integer>>mapToObj(
                            _ -> () -> caller.post("/v1/probe/admitted/0", "").status())
                    .toList());
            for (var call : calls) {
                assertThat(call.get()).isIn(200, 429);
                admitted += call.get() == 200 ? 1 : 0;
            }
        }

        // Then: a minute may have turned meanwhile, and each has its own 20.
        assertThat(admitted).isEqualTo(counted(tenant));
        assertThat(mostInOneWindow(tenant)).isEqualTo(20);
    }

    @Test
    void aRefusalSaysWhenTheMinuteIsOver() {
        // Given
        var caller = new Api(Api.newKey(Api.newTenant("\"requests_per_minute\": 1"))
                .get("secret")
                .asText());

        // When
        var refused = IntStream.range(0, 3)
                .mapToObj(_ -> caller.post("/v1/probe/admitted/0", ""))
                .filter(answer -> answer.status() == 429)
                .findFirst()
                .orElseThrow();

        // Then
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 60);
        assertThat(refused.json().get("error").get("type").asText()).isEqualTo("rate_limit_error");
        assertThat(refused.json().get("error").get("code").asText()).isEqualTo("rate_limit_exceeded");
    }

    @Test
    void tokensOfTheDayRunOut() {
        // Given
        var caller = new Api(Api.newKey(Api.newTenant("\"tokens_per_day\": 100"))
                .get("secret")
                .asText());

        // When
        var first = caller.post("/v1/probe/admitted/99", "").status();
        var second = caller.post("/v1/probe/admitted/500", "").status();
        var third = caller.post("/v1/probe/admitted/1", "");

        // Then
        assertThat(first).isEqualTo(200);
        assertThat(second).as("one token is left").isEqualTo(200);
        assertThat(third.status()).isEqualTo(429);
        assertThat(Integer.parseInt(third.header("retry-after"))).isBetween(1, 86_400);
    }

    @Test
    void whoHasNoLimitIsNotCounted() {
        // Given
        var tenant = Api.newTenant("");
        var caller = new Api(Api.newKey(tenant).get("secret").asText());

        // When
        caller.post("/v1/probe/admitted/1000000", "");

        // Then
        assertThat(counted(tenant)).isZero();
    }

    @Test
    void windowsAreForgottenAfterTwoDays() {
        // Given
        var tenant = Api.newTenant("");
        insertOld(tenant);

        // When
        quotas.forgetOldWindows();

        // Then
        assertThat(counted(tenant)).isEqualTo(5);
    }

    @Transactional
    void insertOld(String tenant) {
        database.createNativeMutationQuery("""
                        insert into quota_window values
                            (:tenant, 'requests', now() - interval '3 days', 7), (:tenant, 'requests', now(), 5)""").setParameter("tenant", tenant).executeUpdate();
    }

    private long counted(String tenant) {
        return sum("coalesce(sum(used), 0)", tenant);
    }

    private long mostInOneWindow(String tenant) {
        return sum("max(used)", tenant);
    }

    private long sum(String what, String tenant) {
        return database.createNativeQuery(
                        "select cast(" + what + " as bigint) from quota_window where tenant_id = :tenant", Long.class)
                .setParameter("tenant", tenant)
                .getSingleResult();
    }
}
