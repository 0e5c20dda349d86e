package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.log.LogIntegrityIT;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/// A restore has lost the erasures since its backup.
@QuarkusTest
@TestProfile(LogIntegrityIT.OwnDatabase.class)
@WithTestResource(AuditParts.class)
class LostErasuresIT extends StoredRecords {
    private static final String REQUESTS = "/audit/v1/requests";

    @Test
    void recordsStayClosedUntilTwoPersonsHaveConfirmedWhichErasuresWereLost() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        assertThat(read(bob).status()).isEqualTo(409);
        assertThat(read(bob).code()).isEqualTo("erasures_lost");
        assertThat(check("/q/health/well", "lost erasures").path("status").asText())
                .isEqualTo("DOWN");
        assertThat(check("/q/health/ready", "bus")
                        .at("/data/erasures lost since")
                        .asText())
                .isEqualTo("2026-11-29T12:00:00Z");
        assertThat(check("/q/health/ready", "bus").path("status").asText()).isEqualTo("UP");
        // Then a list names receipts that are there
        assertThat(list("\"none-such\"").field()).isEqualTo("receipts");
        assertThat(staff.post(REQUESTS, "{\"action\":\"confirm-erasures\",\"case_id\":\"C\",\"reason\":\"r\"}")
                        .field())
                .isEqualTo("receipts");
        // When one person lists what was erased again, the records stay closed
        var receipt = staff.askErasure(tenant, "alice").json().path("id").asText();
        var listed = list("\"" + receipt + "\"");
        assertThat(listed.status()).as(listed.text()).isEqualTo(202);
        assertThat(read(bob).status()).isEqualTo(409);
        assertThat(staff.approve(listed.json().path("id").asText()).code()).isEqualTo("second_person");
        // When another person approves
        var approved = staff.approved(listed);
        // Then
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.json().path("status").asText()).isEqualTo("approved");
        assertThat(approved.json().at("/receipts/0").asText()).isEqualTo(receipt);
        assertThat(read(bob).status()).isEqualTo(200);
        assertThat(read(alice).status()).isEqualTo(410);
        assertThat(check("/q/health/well", "lost erasures").path("status").asText())
                .isEqualTo("UP");
        assertThat(list("").code()).isEqualTo("nothing_lost");
        assertThat(staff.accessLog("action=erasures_confirmed&limit=1").text()).contains("lost-erasures=");
    }

    private StaffClient.Answer list(String receipts) {
        return staff.post(
                REQUESTS,
                "{\"action\":\"confirm-erasures\",\"receipts\":[" + receipts
                        + "],\"case_id\":\"CASE-9\",\"reason\":\"restored\"}");
    }

    private StaffClient.Answer read(Asked record) {
        return staff.read(record.id().toString());
    }

    private JsonNode check(String health, String name) {
        for (var check : staff.get(health).json().path("checks")) {
            if (check.path("name").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("no check " + name);
    }
}
