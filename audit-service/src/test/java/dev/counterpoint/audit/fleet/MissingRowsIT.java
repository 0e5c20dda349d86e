package dev.counterpoint.audit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// M4: a record that somebody deletes is missed.
@QuarkusTest
@TestProfile(MissingRowsIT.OwnDatabase.class)
@WithTestResource(AuditParts.class)
public class MissingRowsIT {
    /// Other tests delete rows behind the service's back. Here one person may erase alone, and erasures are lost.
    public static final class OwnDatabase implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("audit.erasure-approval", "false", "audit.erasures-lost-since", "2026-11-29T12:00:00Z");
        }
    }

    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();

    @Inject
    @Wellness
    MissingRows missing;

    private TestBus bus;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    @Test
    @DisplayName("M4 a deleted record is missed until it is back")
    void aDeletedRecordIsMissedUntilItIsBack() {
        // Given
        stored();
        var gone = stored();
        stored();
        assertThat(checked().path("status").asText()).isEqualTo("UP");
        // When
        AuditTables.execute("create table kept as select * from trace_record where response = ?", gone);
        var number =
                AuditTables.select("select lane || '/' || number from kept").getFirst();
        AuditTables.execute("delete from trace_record where response = ?", gone);
        // Then
        var health = checked();
        assertThat(health.path("status").asText()).isEqualTo("DOWN");
        assertThat(health.at("/data/trace_record missing").asInt()).isOne();
        assertThat(health.at("/data/trace_record first missing").asText()).isEqualTo(number);
        assertThat(health.toString()).doesNotContain(gone).doesNotContain(tenant);
        assertThat(staff.get("/q/health/ready").status()).isEqualTo(200);
        assertThat(staff.get("/q/metrics").text())
                .contains("counterpoint_audit_rows_missing{table=\"trace_record\"} 1.0");
        // When it is put back
        AuditTables.execute("alter table trace_record disable trigger take_number");
        AuditTables.execute("insert into trace_record overriding system value select * from kept");
        AuditTables.execute("alter table trace_record enable trigger take_number");
        AuditTables.execute("drop table kept");
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    @Test
    @DisplayName("M4 an erasure leaves no gap")
    void anErasureLeavesNoGap() {
        stored();

        assertThat(staff.erase(tenant, "alice").json().path("keys_destroyed").asInt())
                .isOne();

        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    @Test
    @DisplayName("M4 no insert chooses its number")
    void noInsertChoosesItsNumber() {
        // Given
        var response = stored();
        long before = AuditTables.count("trace_record");
        // When
        AuditTables.execute("create table kept as select * from trace_record where response = ?", response);
        AuditTables.execute("update kept set response = ?, lane = 99, number = 1", tenant);
        AuditTables.execute("insert into trace_record overriding user value select * from kept");
        AuditTables.execute("drop table kept");
        // Then
        assertThat(AuditTables.count("trace_record")).isEqualTo(before + 1);
        assertThat(AuditTables.count("trace_record where lane = 99")).isZero();
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    private String stored() {
        var asked = Asked.of(tenant, "alice");
        bus.append(bus.whole(asked, "a thought"));
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        return asked.id().toString();
    }

    /// What health says after a look.
    private JsonNode checked() {
        missing.look();
        for (var check : staff.get("/q/health/well").json().path("checks")) {
            if (check.path("name").asText().equals("missing rows")) {
                return check;
            }
        }
        throw new AssertionError("no check of that name");
    }
}
