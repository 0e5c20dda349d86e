package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.auditlog.Commitment;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A scan takes two persons and answers with ids and counts.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ScansIT extends GrantRequests {
    private static final String SECRET = "Rumpelstilzchen";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "literals":["rumpelSTILZchen","nothing"]
        "pattern":"Rumpel\\\\w+"
        """)
    void aScanAnswersWithIdsAndCounts(String wanted) {
        // Given
        var first = stored(Asked.of(tenant, "alice"));
        var hit = Asked.of(tenant, "alice");
        bus.append(bus.whole(hit, "a thought", "about " + SECRET));
        AuditTables.await(1, "trace_record where response = ?", hit.id().toString());
        var bob = stored(Asked.of(tenant, "bob"));
        assertThat(staff.erase(tenant, "bob").status()).isEqualTo(200);
        // When
        var asked = ask("scan", "{}", wanted);
        var before = asker.get("/audit/v1/requests/" + id(asked)).json();
        var result = finished(approved(asked));
        // Then
        assertThat(before.path("records").asInt()).isEqualTo(3);
        assertThat(before.path("result").isNull()).isTrue();
        assertThat(result.path("status").asText()).isEqualTo("completed");
        assertThat(result.path("opened").asInt()).isEqualTo(2);
        assertThat(result.path("found").asInt()).isOne();
        assertThat(result.at("/responses/0").asText()).isEqualTo(hit.id().toString());
        var ids = hit.id() + "\n" + first.id() + "\n";
        assertThat(result.path("opened_hash").asText())
                .isEqualTo(HexFormat.of().formatHex(Commitment.to(ids.getBytes(StandardCharsets.US_ASCII))));
        assertThat(result.toString()).doesNotContain(bob.id().toString()).doesNotContain(SECRET);
        // Then what was looked for is shown to the two persons, and ids to one
        var auditor = StaffClient.with("auditor", "auditor");
        var seen = auditor.get("/audit/v1/requests/" + id(asked));
        assertThat(seen.text().toLowerCase())
                .doesNotContain("rumpel")
                .doesNotContain(hit.id().toString());
        assertThat(StaffClient.with("a", "compliance.approve")
                        .get("/audit/v1/requests/" + id(asked))
                        .text()
                        .toLowerCase())
                .contains("rumpel");
        assertThat(auditor.accessLog("tenant=" + tenant + "&limit=200").text().toLowerCase())
                .contains(result.path("opened_hash").asText())
                .doesNotContain("rumpel");
    }

    @Test
    void nothingIsScannedWithoutASecondPerson() {
        // Given
        stored(Asked.of(tenant, "alice"));
        var asked = ask("scan", "{}", "\"literals\":[\"x\"]");
        // When
        var alone = StaffClient.with("exporter", "compliance.approve").approve(id(asked));
        AuditTables.execute("insert into scan (request) values (?)", id(asked));
        AuditTables.await(1, "scan where ended and request = ?", id(asked));
        // Then
        assertThat(alone.code()).isEqualTo("second_person");
        assertThat(AuditTables.count("event where action = 'scan' and tenant = ?", tenant))
                .isZero();
    }

    @Test
    void aScanIsCancelledAndItsTextsAreGone() {
        // Given
        var asked = away("\"literals\":[\"" + SECRET + "\"]");
        // When
        var cancelled = asker.cancel(asked);
        AuditTables.execute("update scan set beat = null where request = ?", asked);
        var result = finished(asked);
        // Then
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(result.path("status").asText()).isEqualTo("cancelled");
        assertThat(result.has("responses")).isFalse();
        assertThat(AuditTables.count("event where id = ? and personal is not null", asked))
                .isZero();
    }

    @Test
    void aScanOfAReplicaThatDiedIsRunAgainAndInTheEndGivenUp() {
        // Given
        var asked = away("\"literals\":[\"" + SECRET + "\"]");
        // When
        AuditTables.execute(
                "update scan set beat = now() - interval '2 minutes', owner = 'dead' where request = ?", asked);
        // Then
        assertThat(finished(asked).path("status").asText()).isEqualTo("completed");
        // Given
        var crashing = away("\"literals\":[\"" + SECRET + "\"]");
        // When
        AuditTables.execute(
                "update scan set beat = now() - interval '2 minutes', owner = 'dead', attempts = 3 where request = ?",
                crashing);
        // Then
        assertThat(finished(crashing).path("status").asText()).isEqualTo("interrupted");
    }

    @Test
    void idsThatSomebodyChangedAreNotShown() {
        // Given
        stored(Asked.of(tenant, "alice"));
        var asked = approved(ask("scan", "{}", "\"literals\":[\"thought\"]"));
        assertThat(finished(asked).path("responses")).hasSize(1);
        // When
        AuditTables.execute("update scan set found = 'x' where request = ?", asked);
        // Then
        var result = finished(asked);
        assertThat(result.has("responses")).isFalse();
        assertThat(result.path("altered").asBoolean()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "literals":[]                      | literals
        "literals":["x"],"pattern":"x"     | literals
        "pattern":"("                      | pattern
        "pattern":"((a{100}){100}){100}"   | pattern
        "literals":[" "]                   | literals
        "case_id":"C"                      | literals
        "literals":["x"],"recipients":["x"]| recipients
        """)
    void aScanThatBreaksARuleIsRefused(String members, String field) {
        stored(Asked.of(tenant, "alice"));

        var answer = asker.post(
                "/audit/v1/requests",
                "{\"action\":\"scan\",\"tenant\":\"%s\",\"filter\":{},\"reason\":\"r\",%s%s}"
                        .formatted(tenant, members, members.contains("case_id") ? "" : ",\"case_id\":\"C\""));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo(field);
    }

    /// Asks for a scan that another replica has, as it is approved.
    private String away(String wanted) {
        stored(Asked.of(tenant, "alice"));
        var asked = ask("scan", "{}", wanted);
        AuditTables.execute("create or replace function away() returns trigger language plpgsql as"
                + " 'begin new.owner = ''other''; new.beat = now() + interval ''1 hour''; return new; end'");
        AuditTables.execute(
                "create or replace trigger away before insert on scan for each row execute function away()");
        try {
            return approved(asked);
        } finally {
            AuditTables.execute("drop trigger away on scan");
        }
    }

    private JsonNode finished(String request) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            var result = asker.get("/audit/v1/requests/" + request).json().path("result");
            if (result.has("found")) {
                return result;
            }
            assertThat(System.nanoTime()).as(result.toString()).isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
