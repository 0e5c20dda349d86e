package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/// Each change of a tenant's consent is on record with the consent that it ends.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class RecordedConsentsIT {
    private static final Api ADMIN = Api.admin();

    @Test
    void aConsentIsGivenReplacedAndWithdrawnOnRecord() {
        // When
        var tenant = Api.newTenant("\"audit_opt_in\":{\"agreed_by\":\"Ada\"}");
        var path = "/admin/tenants/" + tenant;
        var first = consent(path);
        ADMIN.method("PATCH", path, "{\"audit_opt_in\": {\"agreed_by\": \"Bob\"}}");
        var second = consent(path);
        ADMIN.method("PATCH", path, "{\"written_summaries\": true}");
        ADMIN.method("PATCH", path, "{\"audit_opt_in\": null}");
        ADMIN.method("PATCH", path, "{\"audit_opt_in\": null}");
        ADMIN.method("PATCH", path, "{\"audit_opt_in\": {\"agreed_by\": \"Cyd\"}}");
        var third = consent(path);
        ADMIN.delete(path);
        // Then
        assertThat(FakeModels.accesses())
                .filteredOn(entry -> entry.tenant().equals(tenant))
                .extracting(AccessEntry::id, AccessEntry::actor)
                .containsExactly(
                        tuple("consent_given_" + first, "Ada"),
                        tuple("consent_ended_" + first, "admin"),
                        tuple("consent_given_" + second, "Bob"),
                        tuple("consent_ended_" + second, "admin"),
                        tuple("consent_given_" + third, "Cyd"),
                        tuple("consent_ended_" + third, "admin"));
    }

    @Test
    void aChangeThatIsNotOnRecordIsNotMade() {
        // Given
        var tenant = Api.newTenant("\"audit_opt_in\":{\"agreed_by\":\"Ada\"}");
        var path = "/admin/tenants/" + tenant;
        var given = consent(path);
        FakeModels.accessLogAnswers(false);
        try {
            // When
            var withdrawn = ADMIN.method("PATCH", path, "{\"audit_opt_in\": null}");
            // Then
            assertThat(withdrawn.status()).isEqualTo(503);
            assertThat(ADMIN.delete(path).status()).isEqualTo(503);
            assertThat(consent(path)).isEqualTo(given);
        } finally {
            FakeModels.accessLogAnswers(true);
        }
    }

    private static String consent(String path) {
        return ADMIN.get(path).json().at("/audit_opt_in/id").asText();
    }
}
