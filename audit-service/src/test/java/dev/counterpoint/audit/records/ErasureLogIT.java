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
        assertThat(AuditTables.count("event where body::jsonb ->> 'detail' = ?", "receipt=" + id))
                .isOne();
    }

    @Test
    void anInsertedReceiptDoesNotGetIntoTheLog() {
        // Given
        stored();
        AuditTables.execute("""
            insert into erasure (id, at, actor, case_id, reason, tenant, subject_token, key_ids, records,
                complete_at)
            select ?, now(), 'officer', 'C', 'r', tenant, subject_token, '', 0, now()
            from trace_record where tenant = ?\
            """, tenant, tenant);
        // When
        erasures.publish(tenant);
        // Then
        assertThat(log.holds(tenant)).isFalse();
        AuditTables.execute("delete from erasure where id = ?", tenant);
    }

    @Test
    void anotherErasuresSealOpensNoDoor() {
        // Given
        stored();
        var real = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.execute("""
            insert into erasure (id, at, actor, case_id, reason, tenant, subject_token, key_ids, records,
                complete_at, sealed)
            select ?, at, actor, case_id, reason, tenant, subject_token, '', 0, at, sealed
            from erasure where id = ?\
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

    private Asked stored() {
        var asked = Asked.of(tenant, "alice");
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(asked, "a thought"));
            AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        }
        return asked;
    }
}
