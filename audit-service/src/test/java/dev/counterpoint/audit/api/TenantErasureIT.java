package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Two persons erase a whole tenant.
@QuarkusTest
@WithTestResource(AuditParts.class)
class TenantErasureIT extends StoredRecords {
    private static final int RECORDS = 200;

    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    @Test
    void nothingOfTheTenantIsReadOrFoundAgain() {
        // Given
        var late = Asked.of(tenant, "dave");
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        var elsewhere = stored(Asked.of("other-" + tenant, "alice"));
        staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}");
        var open = staff.askErasure(tenant, "alice").json().path("id").asText();
        // When
        var asked = id(ask());
        assertThat(staff.approve(asked).code()).isEqualTo("second_person");
        var approved = approver.approve(asked);
        // Then
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        var receipt = approver.get("/audit/v1/erasures/" + asked).json();
        assertThat(receipt.path("whole_tenant").asBoolean()).isTrue();
        assertThat(receipt.path("keys_destroyed").asInt()).isEqualTo(2);
        assertThat(receipt.path("records").asInt()).isEqualTo(2);
        assertThat(receipt.path("purged_at").isNull()).isFalse();
        for (var record : new Asked[] {alice, bob}) {
            assertThat(staff.read(record.id().toString()).status()).isEqualTo(410);
        }
        assertThat(staff.read(elsewhere.id().toString()).status()).isEqualTo(200);
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isZero();
        assertThat(AuditTables.count("tenant_key where tenant = ?", tenant)).isZero();
        assertThat(AuditTables.count("trace_record where tenant = ? and subject_token is not null", tenant))
                .isZero();
        assertThat(AuditTables.count("event where tenant = ? and personal is not null", tenant))
                .isZero();
        assertThat(staff.get("/audit/v1/requests/" + open).json().path("status").asText())
                .isEqualTo("expired");
        // and a late record is erased, while a response accepted afterwards is readable under new keys
        stored(late);
        var after = stored(Asked.of(tenant, "alice"));
        assertThat(staff.read(late.id().toString()).status()).isEqualTo(410);
        assertThat(staff.read(after.id().toString()).status()).isEqualTo(200);
        assertThat(approver.approve(open).code()).isEqualTo("not_requested");
        assertThat(staff.get("/audit/v1/requests").status()).isEqualTo(200);
        assertThat(staff.erase(tenant, "alice").status()).isEqualTo(200);
        assertThat(staff.read(after.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void anyHoldOfTheTenantRefusesIt() {
        // Given
        stored(Asked.of(tenant, "alice"));
        staff.post("/audit/v1/holds", """
            {"tenant":"%s","response":"%s","case_id":"CASE-7","reason":"a trial"}\
            """.formatted(
                        tenant, Asked.of(tenant, "nobody").id()));
        // When
        var refused = approver.approve(id(ask()));
        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("held");
        assertThat(AuditTables.count("tenant_key where tenant = ?", tenant)).isOne();
    }

    @Test
    void aTenantWithoutRecordsIsNotThere() {
        assertThat(ask().status()).isEqualTo(404);
    }

    @Test
    void whatIsStoredMeanwhileIsReadableOrErasedButNeverHalf() throws Exception {
        // Given
        stored(Asked.of(tenant, "alice"));
        var asked = id(ask());
        var all = new ArrayList<Asked>();
        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var approval = threads.submit(() -> {
                AuditTables.await(RECORDS / 4, "trace_record where tenant = ?", tenant);
                return approver.approve(asked).status();
            });
            for (int i = 0; i < RECORDS || !approval.isDone(); i++) {
                all.add(Asked.of(tenant, "user-" + i % 7));
                bus.append(bus.whole(all.getLast(), "a thought"));
            }
            assertThat(approval.get()).isEqualTo(200);
        }
        AuditTables.await(all.size() + 1L, "trace_record where tenant = ?", tenant);
        // Then
        var at = Instant.parse(
                approver.get("/audit/v1/erasures/" + asked).json().path("at").asText());
        for (var record : all) {
            boolean before = record.id().acceptedAtMillis() <= at.toEpochMilli();
            assertThat(staff.read(record.id().toString()).status())
                    .as("accepted %d ms after the erasure", record.id().acceptedAtMillis() - at.toEpochMilli())
                    .isEqualTo(before ? 410 : 200);
        }
    }

    private StaffClient.Answer ask() {
        return staff.post("/audit/v1/requests", """
            {"action":"erase-tenant","tenant":"%s","case_id":"CASE-2","reason":"the tenant left"}\
            """.formatted(tenant));
    }

    private static String id(StaffClient.Answer answer) {
        return answer.json().path("id").asText();
    }
}
