package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.StaffClient.Answer;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A record is read under a grant that another person approved, or in an emergency that another person reviews.
@QuarkusTest
@TestProfile(GrantsIT.TwoPersons.class)
@WithTestResource(AuditParts.class)
class GrantsIT extends StoredRecords {
    private final StaffClient reader = StaffClient.with("reader", "compliance.read");
    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    /// Reading takes two persons, and grants end soon.
    public static final class TwoPersons implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("audit.read-approval", "true", "audit.grant-lifetime", "4s", "audit.emergency-review", "1s");
        }
    }

    @Test
    void aGrantLetsItsPersonReadItsRecordUntilItEnds() {
        // Given
        var alice = response("alice");
        var bob = response("bob");
        assertThat(reader.read(alice).code()).isEqualTo("grant_required");
        var asked = ask(alice, "");
        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        assertThat(reader.read(alice).code()).isEqualTo("grant_required");
        assertThat(reader.approve(id(asked)).code()).isEqualTo("missing_role");
        // When
        var granted = approver.approve(id(asked)).json();
        // Then
        assertThat(granted.path("status").asText()).isEqualTo("approved");
        assertThat(Instant.parse(granted.path("granted_until").asText()))
                .isBefore(Instant.now().plusSeconds(5));
        assertThat(reader.read(alice).status()).isEqualTo(200);
        assertThat(reader.read(bob).code()).isEqualTo("grant_required");
        assertThat(staff.read(alice).code()).isEqualTo("grant_required");
        assertThat(entries("read", alice))
                .extracting(entry -> entry.path("outcome").asText())
                .containsExactly("denied", "denied", "granted", "denied");
        AuditTables.await(() -> reader.read(alice).code().equals("grant_required"));
    }

    @Test
    void whoAskedDoesNotApprove() {
        var both = StaffClient.with("both", "compliance.read", "compliance.approve");
        var asked = both.post("/audit/v1/requests", body(response("alice"), ""));

        assertThat(both.approve(id(asked)).code()).isEqualTo("second_person");
    }

    @Test
    void aRequestOrDecisionThatSomebodyWroteIntoTheDatabaseGrantsNothing() {
        // Given
        var response = response("alice");
        var asked = ask(response, "");
        var other = ask(response("bob"), "");
        approver.approve(id(other));
        // When
        AuditTables.execute("""
            insert into event (id, body, salt, mac)
            select 'forged-' || id, replace(body, ?, ?), salt, mac from event where action = 'approve' and request = ?\
            """, id(other), id(asked), id(other));
        // Then
        assertThat(reader.read(response).code()).isEqualTo("grant_required");
    }

    @Test
    void anEmergencyReadsAtOnceAndIsReviewedByAnother() {
        // Given
        var response = response("alice");
        // When
        var emergency = ask(response, ", \"emergency\": true");
        // Then
        assertThat(emergency.json().path("status").asText())
                .as(emergency.text())
                .isEqualTo("in_review");
        assertThat(reader.read(response).status()).isEqualTo(200);
        assertThat(entries("emergency", "")).isNotEmpty();
        AuditTables.await(() -> !well());
        assertThat(approver.get("/audit/v1/requests?status=requested").text()).contains(id(emergency));
        assertThat(reader.cancel(id(emergency)).code()).isEqualTo("second_person");
        assertThat(approver.approve(id(emergency)).status()).isEqualTo(200);
        AuditTables.await(this::well);
    }

    @Test
    void anEmergencyThatAnotherCancelsGrantsNothingMore() {
        var response = response("alice");
        var emergency = ask(response, ", \"emergency\": true");

        assertThat(approver.cancel(id(emergency)).json().path("status").asText())
                .isEqualTo("cancelled");

        assertThat(reader.read(response).code()).isEqualTo("grant_required");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "response | missing_field | \"case_id\": \"C\", \"reason\": \"r\"",
                "response | invalid_field | \"response\": \"x\", \"case_id\": \"C\", \"reason\": \"r\"",
                "tenant | invalid_field | \"tenant\": \"t\", \"case_id\": \"C\", \"reason\": \"r\""
            })
    void aRequestThatBreaksARuleIsRefused(String field, String code, String members) {
        var answer = reader.post("/audit/v1/requests", "{\"action\": \"read\", " + members + "}");

        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
        assertThat(answer.code()).isEqualTo(code);
    }

    @Test
    void nobodyAsksForARecordThatIsNotThere() {
        assertThat(ask(Asked.of(tenant, "nobody").id().toString(), "").status()).isEqualTo(404);
    }

    private String response(String user) {
        return stored(Asked.of(tenant, user)).id().toString();
    }

    private Answer ask(String response, String more) {
        return reader.post("/audit/v1/requests", body(response, more));
    }

    private static String body(String response, String more) {
        return "{\"action\": \"read\", \"response\": \"%s\", \"case_id\": \"C\", \"reason\": \"r\"%s}"
                .formatted(response, more);
    }

    private static String id(Answer asked) {
        return asked.json().path("id").asText();
    }

    private List<JsonNode> entries(String action, String response) {
        var query = "action=" + action + (response.isEmpty() ? "" : "&response=" + response);
        return staff.accessLog(query).json().path("data").valueStream().toList().reversed();
    }

    private boolean well() {
        return staff.get("/q/health/well")
                .json()
                .path("checks")
                .valueStream()
                .filter(check -> check.path("name").asText().equals("reviews of emergencies"))
                .allMatch(check -> check.path("status").asText().equals("UP"));
    }
}
