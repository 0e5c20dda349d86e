package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.frame.End;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Records that are stored in one transaction, of several tenants and subjects.
@QuarkusTest
@WithTestResource(AuditParts.class)
class RecordStoreIT {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private TestBus bus;

    @Inject
    RecordStore records;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    @Test
    void eachTenantsRecordsAreItsOwnAndThoseOfASubjectShareAKey() {
        // Given
        var alice = record(Asked.of(tenant, "alice"));
        var alsoAlice = record(Asked.of(tenant, "alice"));
        var bob = record(Asked.of(tenant, "bob"));
        var elsewhere = record(Asked.of("other-" + tenant, "alice"));
        // When
        var stored = records.store(List.of(alice, elsewhere, bob, alsoAlice));
        // Then
        assertThat(stored).hasSize(4);
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isEqualTo(2);
        assertThat(AuditTables.count("data_key where tenant = ?", "other-" + tenant))
                .isOne();
        for (var record : List.of(alice, alsoAlice, bob, elsewhere)) {
            var read = staff.read(response(record));
            assertThat(read.status()).as(read.text()).isEqualTo(200);
            assertThat(read.json().at("/record/tenant").asText())
                    .isEqualTo(record.received().tenant());
        }
    }

    @Test
    void theFirstOfTwoRecordsOfAResponseStays() {
        // Given
        var asked = Asked.of(tenant, "alice");
        var first = record(asked);
        var second = record(asked);
        // When
        var stored = records.store(List.of(first, second));
        var again = records.store(List.of(second));
        // Then
        assertThat(stored).hasSize(1).allMatch(record -> record == first);
        assertThat(again).isEmpty();
        assertThat(AuditTables.count("trace_record where tenant = ?", tenant)).isOne();
    }

    @Test
    void onlyRecordsOfAnErasedSubjectLoseTheirContent() {
        // Given
        records.store(List.of(record(Asked.of(tenant, "alice")), record(Asked.of("other-" + tenant, "alice"))));
        var before = record(Asked.of(tenant, "alice"));
        var bob = record(Asked.of(tenant, "bob"));
        var elsewhere = record(Asked.of("other-" + tenant, "alice"));
        assertThat(staff.erase(tenant, "alice").status()).isEqualTo(200);
        var after = record(Asked.of(tenant, "alice"));
        // When
        records.store(List.of(before, bob, after, elsewhere));
        // Then
        assertThat(staff.read(response(before)).status()).isEqualTo(410);
        for (var record : List.of(bob, after, elsewhere)) {
            assertThat(staff.read(response(record)).status()).isEqualTo(200);
        }
    }

    @Test
    void onlyARowOfTheVersionBeforeIsNumbered() {
        // Given
        records.store(List.of(record(Asked.of(tenant, "alice"))));
        // When
        var columns = """
            tenant, subject_token, key_id, model, status, reason, accepted_at, ended_at, stored_at, opt_in,
            conversation, partial, cut, unopened_frames, input_tokens, output_tokens, reasoning_tokens, segments,
            data_key_id, content\
            """;
        AuditTables.execute("""
            insert into trace_record (response, %1$s)
            select 'old-' || response, %1$s from trace_record where tenant = ?\
            """.formatted(columns), tenant);
        // Then
        assertThat(AuditTables.select(
                        "select number is not null from trace_record where tenant = ? order by seq", tenant))
                .containsExactly("f", "t");
        AuditTables.execute("delete from trace_record where tenant = ? and mac is null", tenant);
    }

    private static String response(NewRecord record) {
        return record.received().response().toString();
    }

    private NewRecord record(Asked asked) {
        var segments = List.of(new Trace.Segment(0, "analysis", null, "a thought"));
        var trace = new Trace(End.Finish.STOP, 70, 30, 20, asked.id().acceptedAtMillis() + 900, segments);
        return new NewRecord(
                bus.whole(asked, "a thought"),
                new AuditTerms("optin_1", asked.user(), "conv_1"),
                new RecordEnding.ByWorker(trace.finish()),
                trace);
    }
}
