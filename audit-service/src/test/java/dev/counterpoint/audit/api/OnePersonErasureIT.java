package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.log.LogIntegrityIT;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// A deployment that has no second person says so by a setting.
@QuarkusTest
@TestProfile(LogIntegrityIT.OwnDatabase.class)
@WithTestResource(AuditParts.class)
class OnePersonErasureIT extends StoredRecords {
    @Test
    @DisplayName("M6 one person erases alone only where the setting says so")
    void onePersonErasesAloneWhereTheSettingSaysSo() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        var receipt = StaffClient.with("alone", "compliance.erase").askErasure(tenant, "alice");
        // Then
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
        assertThat(receipt.json().path("status").asText()).isEqualTo("pending");
        assertThat(receipt.json().path("actor").asText()).isEqualTo("alone");
        assertThat(receipt.json().path("requested_by").isNull()).isTrue();
        assertThat(receipt.json().path("keys_destroyed").asInt()).isOne();
    }
}
