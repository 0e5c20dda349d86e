package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.store.StoredResponses;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The database and frame 0 at the beginning of a turn: which of them waits for the other.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
@Timeout(120)
class TurnServiceIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String PATH = "/v1/responses";
    private static final String BODY = "{\"model\":\"%s\",\"input\":\"2+2?\"}".formatted(FakeModels.MODEL);
    private static final int STREAMS = 4;

    private final String tenant = Api.newTenant("\"concurrent_streams\":" + STREAMS);
    private final Api caller = Api.ofTenant(tenant);
    private final TestSuperuser database = new TestSuperuser();

    @Inject
    StoredResponses rows;

    @Test
    void whileLimitsAreFarAwayFrame0WaitsForNothingAndTheAnswerForBoth() throws Exception {
        // Given a caller far from its limits, and a database that hangs
        answered();
        int before = FakeModels.asked();
        FakeModels.next(FOUR);
        try (var other = TestSuperuser.connect();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            other.createStatement().execute("update quota set as_of = as_of where subject = '" + tenant + "'");
            // When
            var answer = threads.submit(() -> caller.post(PATH, BODY));
            // Then
            while (FakeModels.asked() == before) {
                Thread.sleep(5);
            }
            assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            other.rollback();
            assertThat(answer.get().status()).isEqualTo(200);
        }
    }

    @Test
    void aRefusalAfterFrame0WithdrawsTheResponse() throws Exception {
        // Given a caller far from its limits, as far as this gateway knows
        answered();
        useUp();
        int before = FakeModels.asked();
        FakeModels.next(List.of());
        // When
        var refused = caller.post(PATH, BODY);
        // Then
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("retry-after")).isEqualTo("1");
        assertThat(FakeModels.asked()).isEqualTo(before + 1);
        var withdrawn = FakeModels.last().generation();
        assertThat(withdrawn.log()).first().isEqualTo(new ModelOutput.Stopped(OwnerEnd.Reason.NOT_QUEUED));
        assertThat(withdrawn.isSettled()).isTrue();
        assertThat(rows.exists(new TurnIds(withdrawn.id()).response(), tenant)).isFalse();
        assertThat(leases()).isEqualTo(STREAMS);
    }

    @Test
    void afterARefusalFrame0WaitsForTheDatabase() {
        // Given
        answered();
        useUp();
        caller.post(PATH, BODY);
        // Then
        assertThatFrame0WaitsFor(caller.request(PATH));
    }

    @Test
    @DisplayName("a request with a key, in a conversation or of an unknown caller awaits the database first")
    void whereTheDatabaseMayRefuseFrame0WaitsForIt() {
        // Given
        answered();
        var talk = caller.post("/v1/conversations", "{}").json().path("id").asText();
        useUp();
        // Then
        assertThatFrame0WaitsFor(caller.request(PATH).header("Idempotency-Key", "once"));
        int before = FakeModels.asked();
        var inTalk = "{\"model\":\"%s\",\"input\":\"2+2?\",\"conversation\":\"%s\"}".formatted(FakeModels.MODEL, talk);
        assertThat(caller.post(PATH, inTalk).status()).isEqualTo(429);
        assertThat(FakeModels.asked()).isEqualTo(before);
        assertThatFrame0WaitsFor(Api.ofTenant(tenant).request(PATH));
    }

    private static void assertThatFrame0WaitsFor(java.net.http.HttpRequest.Builder request) {
        int before = FakeModels.asked();
        var posted = request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(BODY));
        assertThat(Api.admin().send(posted).status()).isEqualTo(429);
        assertThat(FakeModels.asked()).isEqualTo(before);
    }

    private void answered() {
        FakeModels.clear();
        FakeModels.next(FOUR);
        assertThat(caller.post(PATH, BODY).status()).isEqualTo(200);
    }

    /// As other gateways do.
    private void useUp() {
        database.createNativeMutationQuery("""
                        insert into quota_lease (response, tenant_id, key_id, tokens, until)
                        select :tenant || i, :tenant, 'key', 0, now() + interval '1 hour' from generate_series(1, 4) i""").setParameter("tenant", tenant).executeUpdate();
    }

    private long leases() {
        return database.createNativeQuery("select count(*) from quota_lease where tenant_id = :tenant", Long.class)
                .setParameter("tenant", tenant)
                .getSingleResult();
    }
}
