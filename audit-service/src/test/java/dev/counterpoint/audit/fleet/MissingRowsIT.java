package dev.counterpoint.audit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// M4: a record or an access entry that somebody deletes is missed.
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

    @Inject
    AccessLogStore accessLog;

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
        assertThat(health.at("/data/access_entry missing").asInt()).isZero();
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
    @DisplayName("M4 deleted access entries are missed, the newest ones too")
    void deletedAccessEntriesAreMissed() {
        // Given
        for (int i = 0; i < 5; i++) {
            staff.search("{\"tenant\": \"" + tenant + "\"}");
        }
        // When
        AuditTables.execute("create table kept as select * from access_entry where tenant = ?", tenant);
        AuditTables.execute("delete from access_entry where tenant = ?", tenant);
        // Then
        var health = checked();
        assertThat(health.path("status").asText()).isEqualTo("DOWN");
        assertThat(health.at("/data/access_entry missing").asInt()).isEqualTo(5);
        // Then the gap is as it was, whatever is written after it
        staff.search("{}");
        assertThat(checked().at("/data/access_entry missing").asInt()).isEqualTo(5);
        AuditTables.execute("alter table access_entry disable trigger take_number");
        AuditTables.execute("insert into access_entry overriding system value select * from kept");
        AuditTables.execute("alter table access_entry enable trigger take_number");
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
    @DisplayName("M4 an insert that is rolled back leaves no gap, alone and among many")
    void anInsertThatIsRolledBackLeavesNoGap() throws Exception {
        // Given
        var calls = new ArrayList<Callable<Void>>();
        for (int i = 0; i < 40; i++) {
            boolean fails = i % 2 == 0;
            calls.add(() -> {
                if (fails) {
                    assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(this::writtenAndRolledBack))
                            .hasMessage("rolled back");
                } else {
                    accessLog.write(access());
                }
                return null;
            });
        }
        // When
        try (var threads = Executors.newFixedThreadPool(6)) {
            for (var answer : threads.invokeAll(calls)) {
                answer.get();
            }
        }
        // Then
        assertThat(AuditTables.count("access_entry where actor = ?", tenant)).isEqualTo(20);
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    @Test
    @DisplayName("M4 no role of run time turns a counter back or chooses a number")
    void noRoleTurnsACounterBack() {
        accessLog.write(access());
        var before = numbers();

        AuditTables.execute("""
                insert into access_entry (id, at, actor, source, action, outcome, records, lane, number)
                values (?, now(), ?, 'audit', 'search', 'empty', 0, 99, 1)""", "own-" + tenant, tenant);

        assertThat(numbers()).hasSize(before.size() + 1).doesNotContain("99/1");
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    private List<String> numbers() {
        return AuditTables.select("select lane || '/' || number from access_entry");
    }

    private void writtenAndRolledBack() {
        accessLog.write(access());
        throw new IllegalStateException("rolled back");
    }

    private StaffAccess access() {
        return StaffAccess.of(tenant, StaffAccess.Action.SEARCH, StaffAccess.Outcome.EMPTY);
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
