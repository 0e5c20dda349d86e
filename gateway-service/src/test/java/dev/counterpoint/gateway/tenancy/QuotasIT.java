package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class QuotasIT {
    private static final double NANOS_PER_MINUTE = 60e9;

    private final TestSuperuser database = new TestSuperuser();

    @Inject
    Quotas quotas;

    @Test
    void manyAtOnceGetNoMorePlacesThanThereAre() throws Exception {
        // Given
        var caller = Api.ofTenant(Api.newTenant("\"requests_per_minute\": 20"));

        // When
        long before = System.nanoTime();
        var answers = atOnce(60, () -> caller.post("/v1/probe/admitted/0", ""));
        double minutes = (System.nanoTime() - before) / NANOS_PER_MINUTE;

        // Then: a twentieth of a minute gives one place back
        assertThat(admitted(answers)).isBetween(20L, 20 + (long) Math.ceil(20 * minutes));
        assertThat(answers)
                .allMatch(answer -> answer.header("x-ratelimit-limit-requests").equals("20"));
    }

    @Test
    void theKeysOfATenantShareItsLimitsAndEachHasItsOwn() {
        // Given
        var tenant = Api.newTenant("\"concurrent_streams\": 3");
        var keys = "/admin/tenants/" + tenant + "/keys";
        var narrow = Api.admin().post(keys, "{\"concurrent_streams\": 1}").json();
        var first = new Api(narrow.get("secret").asText());
        var second = Api.ofTenant(tenant);

        // Then
        assertThat(first.post("/v1/probe/held/0", "").status()).isEqualTo(200);
        assertThat(message(first.post("/v1/probe/held/0", ""))).contains("this API key may use 1");
        assertThat(second.post("/v1/probe/held/0", "").status()).isEqualTo(200);
        assertThat(second.post("/v1/probe/held/0", "").status()).isEqualTo(200);
        assertThat(message(second.post("/v1/probe/held/0", ""))).contains("this tenant may use 3");

        // When
        var path = keys + "/" + narrow.at("/key/id").asText();
        var widened = Api.admin().method("PATCH", path, "{\"concurrent_streams\": null}");

        // Then
        assertThat(widened.json().get("concurrent_streams").isNull()).isTrue();
        assertThat(message(first.post("/v1/probe/held/0", ""))).contains("this tenant may use 3");
    }

    @Test
    void noMoreAreUnderWayAtOnceThanMayBe() throws Exception {
        // Given
        var caller = Api.ofTenant(Api.newTenant("\"concurrent_streams\": 3"));

        // When
        var answers = atOnce(30, () -> caller.post("/v1/probe/held/0", ""));

        // Then
        assertThat(admitted(answers)).isEqualTo(3);
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 429)
                .allMatch(answer -> answer.header("retry-after").equals("1"));

        // When
        var one = answers.stream().filter(answer -> answer.status() == 200).findFirst();
        caller.post(
                "/v1/probe/settled/" + one.orElseThrow().json().get("response").asText() + "/5", "");

        // Then
        assertThat(admitted(atOnce(10, () -> caller.post("/v1/probe/held/0", ""))))
                .isEqualTo(1);
    }

    @Test
    void tokensAreKeptForThoseThatAreUnderWay() throws Exception {
        // Given
        var caller = Api.ofTenant(Api.newTenant("\"tokens_per_minute\": 1000, \"tokens_per_day\": 1000000"));

        // When
        var answers = atOnce(20, () -> caller.post("/v1/probe/held/300", ""));

        // Then: 0, 300, 600 and 900 leave room
        assertThat(admitted(answers)).isEqualTo(4);
        assertThat(caller.post("/v1/probe/held/1", "").header("x-ratelimit-remaining-tokens"))
                .isEqualTo("0");
    }

    @Test
    @DisplayName("f12: an ending waits for no other of its tenant")
    void anEndingWaitsForNoOther() throws Exception {
        // Given an ending of the tenant that does not come to an end
        var tenant = Api.newTenant("\"tokens_per_day\": 1000");
        var caller = Api.ofTenant(tenant);
        var response =
                caller.post("/v1/probe/held/900", "").json().get("response").asText();
        try (var other = TestSuperuser.connect();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            other.createStatement().execute("update quota set as_of = as_of where subject = '" + tenant + "'");
            // When
            var ending = threads.submit(() -> caller.post("/v1/probe/settled/" + response + "/400", ""));
            // Then
            assertThat(ending.get(5, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(due(tenant)).isEqualTo(1);
            other.rollback();
        }
        while (due(tenant) != 0) {
            Thread.sleep(10);
        }
        for (int kept : List.of(500, 1, 100)) {
            assertThat(caller.post("/v1/probe/held/" + kept, "").status()).isEqualTo(200);
        }
        assertThat(caller.post("/v1/probe/held/1", "").status()).isEqualTo(429);
    }

    private long due(String tenant) {
        return database.createNativeQuery("select count(*) from quota_due where tenant_id = :tenant", Long.class)
                .setParameter("tenant", tenant)
                .getSingleResult();
    }

    @Test
    @DisplayName("a gateway of an earlier version counts together with this one")
    void gatewaysOfTheEarlierVersionCountTogetherWithThisOne() throws Exception {
        // Given
        var tenant = Api.newTenant("\"requests_per_minute\": 4, \"tokens_per_day\": 1000");
        var key = Api.newKey(tenant);
        var caller = new Api(key.get("secret").asText());
        var admit =
                "select coalesce(max(refused), '-') from quota_admit('%s', '%s', 'old-' || %d, 100, interval '1 hour')";
        // When
        caller.post("/v1/probe/held/100", "");
        var first = earlier(admit.formatted(tenant, key.at("/key/id").asText(), 1));
        var answer = caller.post("/v1/probe/held/100", "");
        caller.post("/v1/probe/held/100", "");
        var second = earlier(admit.formatted(tenant, key.at("/key/id").asText(), 2));
        // Then
        assertThat(first).isEqualTo("-");
        assertThat(answer.header("x-ratelimit-remaining-requests")).isEqualTo("1");
        assertThat(answer.header("x-ratelimit-remaining-tokens")).isEqualTo("700");
        assertThat(second).isEqualTo("requests_per_minute");
    }

    private static String earlier(String call) throws SQLException {
        try (var connection = TestSuperuser.connect();
                var row = connection.createStatement().executeQuery(call)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void whatIsUsedTakesThePlaceOfWhatWasKept() {
        // Given
        var tenant = Api.newTenant("\"tokens_per_day\": 1000");
        var caller = Api.ofTenant(tenant);
        var response =
                caller.post("/v1/probe/held/900", "").json().get("response").asText();

        // When
        caller.post("/v1/probe/settled/" + response + "/5", "");
        var next = caller.post("/v1/probe/held/0", "");

        // Then
        assertThat(next.header("x-ratelimit-limit-tokens")).isEqualTo("1000");
        assertThat(next.header("x-ratelimit-remaining-tokens")).isEqualTo("995");
    }

    @Test
    void whatNobodyCountedCostsWhatWasKept() {
        // Given
        var tenant = Api.newTenant("\"tokens_per_day\": 1000");
        var caller = Api.ofTenant(tenant);
        var response =
                caller.post("/v1/probe/held/400", "").json().get("response").asText();

        // When
        caller.post("/v1/probe/settled/" + response + "/-1", "");

        // Then
        assertThat(dayTokens(tenant)).isEqualTo(400);
    }

    @Test
    void aResponseIsChargedOnceHoweverOftenItEnds() throws Exception {
        // Given
        var tenant = Api.newTenant("\"tokens_per_day\": 1000");
        var caller = Api.ofTenant(tenant);
        var response =
                caller.post("/v1/probe/held/400", "").json().get("response").asText();

        // When
        atOnce(20, () -> caller.post("/v1/probe/settled/" + response + "/7", ""));

        // Then
        assertThat(dayTokens(tenant)).isEqualTo(7);
    }

    @Test
    void aRefusalSaysWhenToComeBack() {
        // Given
        var caller = Api.ofTenant(Api.newTenant("\"requests_per_minute\": 1"));
        caller.post("/v1/probe/admitted/0", "");

        // When
        var refused = caller.post("/v1/probe/admitted/0", "");

        // Then
        assertThat(refused.status()).isEqualTo(429);
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 60);
        assertThat(Integer.parseInt(refused.header("retry-after-ms"))).isBetween(1, 60_000);
        assertThat(refused.header("x-should-retry")).isEqualTo("true");
        assertThat(refused.header("x-ratelimit-remaining-requests")).isEqualTo("0");
        assertThat(refused.header("x-ratelimit-reset-requests")).matches("(1m)?[0-9.]+s");
        assertThat(refused.json().at("/error/type").asText()).isEqualTo("rate_limit_error");
        assertThat(refused.json().at("/error/code").asText()).isEqualTo("rate_limit_exceeded");
    }

    @Test
    void tokensOfTheDayRunOut() {
        // Given
        var caller = Api.ofTenant(Api.newTenant("\"tokens_per_day\": 100"));

        // When
        var first = caller.post("/v1/probe/admitted/99", "").status();
        var second = caller.post("/v1/probe/admitted/500", "").status();
        var third = caller.post("/v1/probe/admitted/1", "");

        // Then
        assertThat(first).isEqualTo(200);
        assertThat(second).as("one token is left").isEqualTo(200);
        assertThat(third.status()).isEqualTo(429);
        assertThat(third.json().at("/error/code").asText()).isEqualTo("insufficient_quota");
        assertThat(third.header("x-should-retry")).isEqualTo("false");
        assertThat(Integer.parseInt(third.header("retry-after"))).isBetween(1, 86_400);
    }

    @Test
    void whoHasNoLimitIsNotCounted() {
        // Given
        var tenant = Api.newTenant("");
        var caller = Api.ofTenant(tenant);

        // When
        var answer = caller.post("/v1/probe/admitted/1000000", "");

        // Then
        assertThat(number("select count(*) from quota where subject = :id", tenant))
                .isZero();
        assertThat(answer.http().headers().map().keySet()).noneMatch(name -> name.startsWith("x-ratelimit"));
    }

    @Test
    void whatItsGatewayForgotEndsByItself() {
        // Given
        var tenant = Api.newTenant("\"concurrent_streams\": 1");
        var caller = Api.ofTenant(tenant);
        caller.post("/v1/probe/held/0", "");
        var past = "update quota_lease set until = now() - interval '1 second' where tenant_id = :id";
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(past)
                        .setParameter("id", tenant)
                        .executeUpdate());

        // When
        var next = caller.post("/v1/probe/held/0", "");
        quotas.lapsedLeases().run();

        // Then
        assertThat(next.status()).isEqualTo(200);
        assertThat(number("select count(*) from quota_lease where tenant_id = :id", tenant))
                .isEqualTo(1);
    }

    private static List<Api.Answer> atOnce(int calls, Supplier<Api.Answer> call) throws Exception {
        var answers = new ArrayList<Api.Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = threads.invokeAll(IntStream.range(0, calls)
                    .<Callable<Api.Answer>>mapToObj(_ -> call::get)
                    .toList());
            for (var one : asked) {
                answers.add(one.get());
            }
        }
        assertThat(answers).extracting(Api.Answer::status).allMatch(status -> status == 200 || status == 429);
        return answers;
    }

    private static long admitted(List<Api.Answer> answers) {
        return answers.stream().filter(answer -> answer.status() == 200).count();
    }

    private static String message(Api.Answer answer) {
        return answer.json().at("/error/message").asText();
    }

    private long dayTokens(String tenant) {
        return number(
                "select cast(coalesce(sum(used), 0) as bigint) from ("
                        + "select day_tokens as used from quota where subject = :id"
                        + " union all select tokens from quota_due where tenant_id = :id) counted",
                tenant);
    }

    private long number(String query, String id) {
        return database.createNativeQuery(query, Long.class)
                .setParameter("id", id)
                .getSingleResult();
    }
}
