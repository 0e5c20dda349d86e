package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The log of erasures holds what was committed, and nothing that somebody wrote into the database.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ErasureLogIT {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();

    @Inject
    ErasureStore erasures;

    @Inject
    ErasureLog log;

    @Test
    void anErasureWhoseEntryCannotBeWrittenErasesNothingAndCanBeApprovedAgain() {
        // Given
        var alice = stored();
        var asked = staff.askErasure(tenant, "alice");
        var id = asked.json().path("id").asText();
        AuditTables.execute("""
            create function full_disk() returns trigger language plpgsql as
            $$ begin raise exception 'full' using errcode = '53100'; end $$\
            """);
        AuditTables.execute("create trigger full_disk before insert on event execute function full_disk()");
        // When
        var refused = staff.approved(asked);
        AuditTables.execute("drop trigger full_disk on event");
        AuditTables.execute("drop function full_disk");
        // Then
        assertThat(refused.status()).isEqualTo(503);
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
        assertThat(log.holds(id)).isFalse();
        assertThat(staff.approved(asked).status()).isEqualTo(200);
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(410);
        assertThat(log.holds(id)).isTrue();
        assertThat(AuditTables.count("event where action = 'erase' and body::jsonb ->> 'detail' = ?", "receipt=" + id))
                .isOne();
    }

    @Test
    @DisplayName("F4 an inserted receipt does nothing")
    void anInsertedReceiptDoesNothing() {
        // Given
        var alice = stored();
        AuditTables.execute("""
            insert into erasure (id, at, tenant, subject_token)
            select ?, now() + interval '1 hour', tenant, subject_token from trace_record where tenant = ?\
            """, tenant, tenant);
        // When
        erasures.publish(tenant);
        erasures.takeOutPersons();
        // Then it hides no record, takes nobody out, and is no receipt
        assertThat(log.holds(tenant)).isFalse();
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
        assertThat(staff.get("/audit/v1/erasures/" + tenant).status()).isEqualTo(404);
        AuditTables.execute("delete from erasure where id = ?", tenant);
    }

    @Test
    void anotherErasuresSealOpensNoDoor() {
        // Given
        stored();
        var real = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.execute("""
            insert into erasure (id, at, tenant, subject_token, sealed)
            select ?, at, tenant, subject_token, sealed from erasure where id = ?\
            """, tenant, real);
        // When
        erasures.publish(tenant);
        // Then
        assertThat(log.holds(tenant)).isFalse();
        AuditTables.execute("delete from erasure where id = ?", tenant);
    }

    @Test
    void anErasureOfTheVersionBeforeGetsItsSealFromTheLog() {
        // Given
        stored();
        var id = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.execute("update erasure set sealed = null where id = ?", id);
        assertThat(erasures.unsealed()).contains(id);
        // When
        log.entries().stream().filter(entry -> entry.id().equals(id)).forEach(erasures::seal);
        // Then
        assertThat(erasures.unsealed()).doesNotContain(id);
        var entry = erasures.sealedEntry(id).orElseThrow();
        log.append(id, entry);
    }

    @Test
    void anErasureOfTheVersionBeforeIsTakenOverAsItsSealHasIt() {
        // Given a receipt that is no event
        stored();
        var real = staff.erase(tenant, "alice").json();
        var id = real.path("id").asText();
        AuditTables.execute("delete from event where id = ?", "erased_" + id);
        assertThat(staff.get("/audit/v1/erasures/" + id).status()).isEqualTo(404);
        // When
        assertThat(erasures.old()).contains(id);
        erasures.takeOver(id);
        // Then
        assertThat(erasures.old()).doesNotContain(id);
        var receipt = staff.get("/audit/v1/erasures/" + id).json();
        assertThat(receipt.path("imported").asBoolean()).isTrue();
        assertThat(receipt.path("keys")).isEqualTo(real.path("keys"));
        assertThat(receipt.path("requested_by").asText()).isEqualTo("officer");
    }

    @Test
    void aRestoredDatabaseErasesTheTenantAgain() {
        // Given
        var alice = stored();
        AuditTables.execute("create table kept_tenant_key as select * from tenant_key where tenant = '" + tenant + "'");
        AuditTables.execute("create table kept_data_key as select * from data_key where tenant = '" + tenant + "'");
        var receipt = staff.erased(staff.post("/audit/v1/requests", """
            {"action":"erase-tenant","tenant":"%s","case_id":"CASE-2","reason":"the tenant left"}\
            """.formatted(tenant)))
                .json();
        var id = receipt.path("id").asText();
        AuditTables.execute("delete from erasure where id = ?", id);
        AuditTables.execute("insert into tenant_key select * from kept_tenant_key");
        AuditTables.execute("insert into data_key select * from kept_data_key");
        AuditTables.execute("drop table kept_tenant_key, kept_data_key");
        // When
        log.entries().stream().filter(entry -> entry.id().equals(id)).forEach(erasures::restore);
        // Then
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isZero();
        assertThat(AuditTables.count("tenant_key where tenant = ?", tenant)).isZero();
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(410);
        assertThat(staff.get("/audit/v1/erasures/" + id).json().path("keys_destroyed"))
                .isEqualTo(receipt.path("keys_destroyed"));
    }

    private Asked stored() {
        var asked = Asked.of(tenant, "alice");
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(asked, "a thought"));
            AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        }
        return asked;
    }
}
