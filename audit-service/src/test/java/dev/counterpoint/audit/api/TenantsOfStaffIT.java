package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.Tokens;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Staff whose token names tenants sees no others.
@QuarkusTest
@WithTestResource(AuditParts.class)
class TenantsOfStaffIT extends StoredRecords {
    private static final String[] ROLES = {
        "compliance.search", "compliance.read", "compliance.erase", "compliance.approve", "compliance.hold", "auditor"
    };

    private final String other = "other-" + tenant;

    @Test
    void whatBelongsToAnotherTenantDoesNotExist() {
        // Given
        var mine = stored(Asked.of(tenant, "alice"));
        var foreign = stored(Asked.of(other, "alice"));
        var asked = staff.askErasure(other, "alice").json().path("id").asText();
        var hold = staff.post("/audit/v1/holds", hold(other)).json().path("id").asText();
        stored(Asked.of(other, "bob"));
        var receipt = staff.erase(other, "bob").json().path("id").asText();
        assertThat(receipt).isNotEmpty();
        // When
        var limited = limited("[\"" + tenant + "\", \"tenant-x\"]");
        // Then
        assertThat(limited.read(mine.id().toString()).status()).isEqualTo(200);
        assertThat(limited.read(foreign.id().toString()).status()).isEqualTo(404);
        assertThat(limited.search("{}").text()).contains(tenant).doesNotContain(other);
        assertThat(limited.search("{\"tenant\":\"" + other + "\"}").json().path("data"))
                .isEmpty();
        assertThat(limited.search("{\"tenant\":\"" + other + "\",\"subject\":\"alice\"}")
                        .json()
                        .path("data"))
                .isEmpty();
        assertThat(limited.search("{\"response\":\"" + foreign.id() + "\"}")
                        .json()
                        .path("data"))
                .isEmpty();
        assertThat(limited.askErasure(other, "alice").status()).isEqualTo(404);
        assertThat(limited.askErasure(tenant, "alice").status()).isEqualTo(202);
        assertThat(limited.get("/audit/v1/requests/" + asked).status()).isEqualTo(404);
        assertThat(limited.get("/audit/v1/requests").text()).contains(tenant).doesNotContain(other);
        assertThat(limited.approve(asked).status()).isEqualTo(404);
        assertThat(limited.cancel(asked).status()).isEqualTo(404);
        assertThat(limited.get("/audit/v1/erasures/" + receipt).status()).isEqualTo(404);
        assertThat(limited.get("/audit/v1/erasures").text()).doesNotContain(other);
        assertThat(ask(limited, "release-hold", "\"hold\":\"" + hold + "\"")).isEqualTo(404);
        assertThat(ask(limited, "confirm-erasures", "\"receipts\":[]")).isEqualTo(404);
        assertThat(limited.accessLog("tenant=" + other).json().path("data")).isEmpty();
        assertThat(limited.accessLog("limit=200").text()).contains(tenant).doesNotContain(other);
        // Then nothing of that was done, and each try is on record
        assertThat(staff.get("/audit/v1/requests/" + asked)
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("requested");
        assertThat(staff.accessLog("actor=limited&response=" + foreign.id())
                        .json()
                        .at("/data/1/outcome")
                        .asText())
                .isEqualTo("denied");
        assertThat(AuditTables.count("event where actor = 'limited'")).isGreaterThan(20);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"[]", "\"*\"", "7", "{}", "[7]"})
    void aClaimInAWrongFormIsNoTenant(String claim) {
        var mine = stored(Asked.of(tenant, "alice"));

        var read = limited(claim).read(mine.id().toString());

        assertThat(read.status()).isEqualTo(404);
    }

    private static StaffClient limited(String tenants) {
        var claims = Tokens.Claims.of("limited", ROLES).json();
        return new StaffClient(
                Tokens.ofTest().raw(claims.replaceFirst("}$", ",\"counterpoint_tenants\":" + tenants + "}")));
    }

    private static int ask(StaffClient client, String action, String what) {
        var body = "{\"action\":\"%s\",%s,\"case_id\":\"C\",\"reason\":\"r\"}".formatted(action, what);
        return client.post("/audit/v1/requests", body).status();
    }

    private static String hold(String tenant) {
        return ("{\"tenant\":\"%s\",\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2020-01-02T00:00:00Z\","
                        + "\"case_id\":\"C\",\"reason\":\"r\"}")
                .formatted(tenant);
    }
}
