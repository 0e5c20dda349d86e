package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AccessEntry.Action;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The ids of consents that records name resolve, with their history.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ConsentsIT extends StoredRecords {
    private final String consent = "optin_" + UUID.randomUUID();

    @Test
    @DisplayName("B8: who consented, when, and until when")
    void aConsentHasItsHistory() {
        // When
        bus.append(entry(Action.CONSENT_GIVEN, "Ada", 1_000));
        bus.append(entry(Action.CONSENT_GIVEN, "Ada", 1_000));
        bus.append(entry(Action.CONSENT_ENDED, "admin", 2_000));
        AuditTables.await(1, "event where id = ? and log_index >= 0", "consent_ended_" + consent);
        // Then
        var found = staff.get("/audit/v1/consents/" + consent);
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.json().get("data")).hasSize(2);
        assertThat(found.json().at("/data/0/action").asText()).isEqualTo("consent_given");
        assertThat(found.json().at("/data/0/actor").asText()).isEqualTo("Ada");
        assertThat(found.json().at("/data/0/at").asText()).isEqualTo("1970-01-01T00:00:01Z");
        assertThat(found.json().at("/data/0/tenant").asText()).isEqualTo(tenant);
        assertThat(found.json().at("/data/1/action").asText()).isEqualTo("consent_ended");
        assertThat(AuditTables.count("event where action = 'read_consent' and body like ?", "%" + consent + "%"))
                .isOne();
    }

    @Test
    void noConsentIsTakenFromAWorkerAndAMissingOneIsNotFound() {
        // Given
        long dead = AuditTables.count("dead_letter");
        // When
        bus.forge(entry(Action.CONSENT_GIVEN, "Mallory", 1_000));
        AuditTables.await(dead + 1, "dead_letter");
        // Then
        assertThat(staff.get("/audit/v1/consents/" + consent).status()).isEqualTo(404);
        assertThat(AuditTables.count("event where action = 'read_consent' and body like ?", "%" + consent + "%"))
                .isOne();
    }

    private AccessEntry entry(Action action, String actor, long atMillis) {
        var id = action.name().toLowerCase(java.util.Locale.ROOT) + "_" + consent;
        return new AccessEntry(id, atMillis, actor, tenant, "", action);
    }
}
