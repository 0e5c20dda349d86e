package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The database at the beginning of a turn.
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

    @Test
    void whatTheDatabaseRefusesHasNoFrame0() {
        // Given a caller far from its limits, as far as this gateway knows
        answered();
        useUp();
        int before = FakeModels.asked();
        // When
        var refused = caller.post(PATH, BODY);
        // Then
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("retry-after")).isEqualTo("1");
        assertThat(FakeModels.asked()).isEqualTo(before);
        assertThat(leases()).isEqualTo(STREAMS);
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
