package dev.counterpoint.audit.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// From the bus into the tables, and out again through the API.
@QuarkusTest
@WithTestResource(AuditParts.class)
class AuditIngestIT {
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
    void aWholeTraceCanBeReadByStaff() {
        // Given
        var asked = Asked.of("acme", "alice");
        // When
        bus.append(bus.whole(asked, "They ask for the weather.", "Then I call the tool."));
        awaitRecord(asked);
        var read = StaffClient.everything().read("resp_" + asked.id());
        // Then
        assertThat(read.status()).as(read.text()).isEqualTo(200);
        assertThat(read.header("cache-control")).isEqualTo("no-store");
        assertThat(read.json().get("segments").findValuesAsText("text"))
                .containsExactly("They ask for the weather.", "Then I call the tool.");
        var record = read.json().get("record");
        assertThat(record.get("status").asText()).isEqualTo("completed");
        assertThat(record.get("tenant").asText()).isEqualTo("acme");
        assertThat(record.get("conversation").asText()).isEqualTo("conv_1");
        assertThat(record.get("partial").asBoolean()).isFalse();
        assertThat(read.text()).doesNotContain("alice");
    }

    @Test
    void theFirstRecordOfAResponseStaysWhateverComesAfterIt() {
        // Given
        var asked = Asked.of("acme", "alice");
        bus.append(bus.whole(asked, "the first"));
        awaitRecord(asked);
        // When
        bus.append(bus.whole(asked, "the second"));
        bus.append(bus.whole(asked, "the first"));
        awaitAllTaken(asked);
        // Then
        assertThat(records(asked)).isEqualTo(1);
        assertThat(StaffClient.everything()
                        .read(asked.id().toString())
                        .json()
                        .get("segments")
                        .findValuesAsText("text"))
                .containsExactly("the first");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("H2: no partial trace displaces the worker's, in either order, and both are kept")
    void theWholeTraceIsReadWhicheverComesFirst(boolean partialFirst) {
        // Given
        var asked = Asked.of("acme-" + UUID.randomUUID(), "alice");
        var whole = bus.whole(asked, "the whole thought");
        var partial = bus.partial(
                asked, OwnerEnd.Reason.CANCELLED, false, bus.attempt(asked, 1, Set.of(ServiceRole.AUDIT), "the wh"));
        // When
        bus.append(partialFirst ? partial : whole);
        awaitRecord(asked);
        bus.append(partialFirst ? whole : partial);
        bus.append(partial);
        AuditTables.await(2, "trace_record where tenant = ?", asked.tenant());
        // Then
        var staff = StaffClient.everything();
        var read = staff.read(asked.id().toString()).json();
        assertThat(read.get("segments").findValuesAsText("text")).containsExactly("the whole thought");
        assertThat(read.at("/record/partial").asBoolean()).isFalse();
        assertThat(AuditTables.count("trace_record where tenant = ?", asked.tenant()))
                .isEqualTo(2);
        assertThat(staff.search("{\"tenant\": \"" + asked.tenant() + "\"}")
                        .json()
                        .get("data"))
                .singleElement()
                .satisfies(found -> assertThat(found.get("status").asText()).isEqualTo("completed"));
        assertThat(staff.search("{\"response\": \"" + asked.id() + "\"}").json().get("data"))
                .hasSize(1);
    }

    @Test
    void aResponseThatItsOwnerEndedHasWhatItsLogHolds() {
        // Given two attempts of one response
        var asked = Asked.of("acme", "bob");
        var frames = new ArrayList<>(bus.attempt(asked, 1, Set.of(ServiceRole.AUDIT), "I wonder ", "whe"));
        frames.addAll(bus.attempt(asked, 2, Set.of(ServiceRole.AUDIT), "ther this", " works."));
        // When
        bus.append(bus.partial(asked, OwnerEnd.Reason.CANCELLED, true, frames));
        awaitRecord(asked);
        // Then
        var read = StaffClient.everything().read(asked.id().toString()).json();
        assertThat(read.get("segments").findValuesAsText("text")).containsExactly("I wonder whether this works.");
        var record = read.get("record");
        assertThat(record.get("status").asText()).isEqualTo("cancelled");
        assertThat(record.get("reason").asText()).isEqualTo("CANCELLED");
        assertThat(record.get("partial").asBoolean()).isTrue();
        assertThat(record.get("cut").asBoolean()).isTrue();
        assertThat(record.get("reasoning_tokens").asInt()).isEqualTo(8);
        assertThat(record.get("unopened_frames").asInt()).isZero();
    }

    @Test
    void aResponseThatNeverRanHasAnEmptyRecord() {
        // Given
        var asked = Asked.of("acme", "bob");
        // When
        bus.append(bus.partial(asked, OwnerEnd.Reason.NOT_QUEUED, false, List.of()));
        awaitRecord(asked);
        // Then
        var read = StaffClient.everything().read(asked.id().toString()).json();
        assertThat(read.get("segments")).isEmpty();
        assertThat(read.get("record").get("status").asText()).isEqualTo("failed");
    }

    @Test
    void whatCannotBeReadIsKeptSealedAndHoldsUpNobody() {
        // Given a record that was moved to another tenant, noise, and a good one behind them in the same partition
        var asked = Asked.of("acme", "carol");
        var good = bus.whole(asked, "after the broken ones");
        var moved = new TraceRecord(asked.id(), "other", asked.key(), TestBus.MODEL, 1, good.terms(), good.body());
        long before = AuditTables.count("dead_letter");
        // When
        bus.append(moved);
        bus.append(Topic.AUDIT, asked.id().toString(), new byte[] {1, 2, 3});
        bus.append(good);
        awaitRecord(asked);
        // Then
        assertThat(AuditTables.count("dead_letter")).isEqualTo(before + 2);
        assertThat(AuditTables.count(
                        "trace_record where response = ? and tenant = 'acme'",
                        asked.id().toString()))
                .isEqualTo(1);
        assertThat(AuditTables.select("select encode(body, 'hex') from dead_letter order by id desc limit 1"))
                .containsExactly("010203");
    }

    @Test
    void whatADatabaseRefusesGoesToTheDeadLettersToo() {
        // Given a tenant's name that PostgreSQL cannot hold
        var asked = Asked.of("nul\0", "carol");
        var next = new Asked(asked.id(), "acme", "key_1", "carol");
        long before = AuditTables.count("dead_letter");
        // When
        bus.append(bus.whole(asked, "thought"));
        bus.append(bus.whole(next, "thought"));
        awaitRecord(next);
        // Then
        assertThat(AuditTables.count("dead_letter")).isEqualTo(before + 1);
    }

    @Test
    void anEntryOfAGatewayCountsOnce() {
        // Given
        var asked = Asked.of("acme", "dave");
        var entry = new AccessEntry(
                "entry-" + asked.id(),
                System.currentTimeMillis(),
                "key_raw",
                "acme",
                asked.id().toString(),
                AccessEntry.Action.RAW_REASONING_SHOWN);
        var last = new AccessEntry(
                "last-" + asked.id(), 1, "key_raw", "acme", asked.id().toString(), AccessEntry.Action.UNKNOWN);
        // When
        bus.append(entry);
        bus.append(entry);
        bus.append(Topic.ACCESS_LOG, asked.id().toString(), new byte[] {9});
        bus.append(last);
        AuditTables.await(1, "event where id = ?", last.id());
        // Then
        var found = StaffClient.everything().accessLog("response=" + asked.id() + "&action=raw_reasoning_shown");
        assertThat(found.json().get("data")).hasSize(1);
        assertThat(found.json().get("data").get(0).get("actor").asText()).isEqualTo("key_raw");
        assertThat(found.json().get("data").get(0).get("source").asText()).isEqualTo("gateway");
    }

    /// Appends one more record to the partition of `asked` and waits for it, so that every earlier one is taken too.
    private void awaitAllTaken(Asked asked) {
        var last = Asked.of("acme", "last");
        bus.append(Topic.AUDIT, asked.id().toString(), bus.signed(bus.whole(last, "x")));
        awaitRecord(last);
    }

    private static long records(Asked asked) {
        return AuditTables.count("trace_record where response = ?", asked.id().toString());
    }

    private static void awaitRecord(Asked asked) {
        AuditTables.await(
                1,
                "trace_record where split_part(response, '.', 1) = ? and tenant = ?",
                asked.id().toString(),
                asked.tenant());
    }
}
