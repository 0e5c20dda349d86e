package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.log.LogIntegrityIT;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.ErasedRows;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
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
        assertThat(receipt.json().path("status").asText()).isEqualTo("approved");
        assertThat(receipt.json().path("decided_by").asText()).isEqualTo("alone");
        var result = receipt.json().path("result");
        assertThat(result.path("status").asText()).isEqualTo("pending");
        assertThat(result.path("actor").asText()).isEqualTo("alone");
        assertThat(result.path("requested_by").isNull()).isTrue();
        assertThat(result.path("keys_destroyed").asInt()).isOne();
    }

    @Test
    @DisplayName("H3 the receipt is complete once the log of frames has forgotten")
    void theReceiptIsCompleteOnceTheLogOfFramesHasForgotten() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        var first = staff.erase(tenant, "alice").json().path("id").asText();
        var again = staff.erase(tenant, "alice").json().path("id").asText();
        bus.append(erasedByGateways(first));
        bus.append(erasedByGateways(again));
        // Then
        assertThat(finalStatus(first)).isEqualTo("complete");
        assertThat(finalStatus(again)).isEqualTo("nothing_was_there");
    }

    private AccessEntry erasedByGateways(String erasure) {
        var action = AccessEntry.Action.ROWS_ERASED;
        var rows = new ErasedRows(0, 0, 0, 0, 0);
        return new AccessEntry(action.entryOf(erasure), 1, "gateway", tenant, "", action, new byte[0], rows);
    }

    private String finalStatus(String id) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            var status =
                    staff.get("/audit/v1/erasures/" + id).json().path("status").asText();
            if (!status.equals("pending") || System.nanoTime() > giveUp) {
                return status;
            }
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }
}
