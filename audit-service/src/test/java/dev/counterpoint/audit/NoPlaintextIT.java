package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.keys.TestKeysets;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reasoning, subjects and the passphrase are in no table, no log and no metric.
@QuarkusTest
@WithTestResource(AuditParts.class)
class NoPlaintextIT {
    private static final String THOUGHT = "thought-canary-5d81";
    private static final String SUBJECT = "subject-canary-93ac";
    private static final List<String> CANARIES = List.of(THOUGHT, SUBJECT, TestBus.SUMMARY, TestKeysets.PASSPHRASE);

    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getLoggerName() + " " + record.getMessage() + " "
                    + List.of(record.getParameters() == null ? new Object[0] : record.getParameters()) + " "
                    + record.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void record() {
        Logger.getLogger("").addHandler(recorder);
    }

    @AfterEach
    void stopRecording() {
        Logger.getLogger("").removeHandler(recorder);
    }

    @Test
    void whatIsSecretIsFoundThroughTheApiOnly() {
        // Given every way into the service, the failing ones included
        var whole = Asked.of("acme", SUBJECT);
        var partial = Asked.of("acme", SUBJECT);
        var moved = Asked.of("acme", SUBJECT);
        var last = Asked.of("nul\0", SUBJECT);
        long dead = AuditTables.count("dead_letter");
        try (var bus = TestBus.ofTest()) {
            var good = bus.whole(moved, THOUGHT);
            bus.append(new TraceRecord(moved.id(), "other", "key_1", TestBus.MODEL, 1, good.terms(), good.body()));
            bus.append(bus.whole(whole, THOUGHT));
            bus.append(bus.partial(
                    partial,
                    OwnerEnd.Reason.EXPIRED,
                    false,
                    bus.attempt(partial, 1, Set.of(ServiceRole.AUDIT), THOUGHT)));
            bus.append(Topic.AUDIT, "x", THOUGHT.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            bus.append(bus.whole(last, THOUGHT));
            AuditTables.await(1, "trace_record where response = ?", whole.id().toString());
            AuditTables.await(1, "trace_record where response = ?", partial.id() + ".partial");
            AuditTables.await(dead + 3, "dead_letter");
            bus.append(bus.closing(whole, "described"));
            AuditTables.await(1, "event where id = ? and log_index >= 0", "response_closed_" + whole.id());
        }
        var staff = StaffClient.everything();
        // When
        staff.search("{\"tenant\": \"acme\", \"subject\": \"" + SUBJECT + "\"}");
        staff.search("{\"tenant\": \"acme\", \"subject\": \"" + SUBJECT + "\", \"status\": \"" + SUBJECT + "\"}");
        staff.search("{\"" + SUBJECT + "\": 1");
        var read = staff.read(whole.id().toString());
        var readPartial = staff.read(partial.id().toString());
        staff.erase("acme", SUBJECT);
        staff.read(whole.id().toString());
        // Then
        assertThat(read.text()).contains(THOUGHT, TestBus.SUMMARY).doesNotContain(SUBJECT);
        assertThat(readPartial.text()).contains(THOUGHT);
        assertThat(logged).isNotEmpty();
        for (var canary : CANARIES) {
            assertThat(logged.toString()).doesNotContain(canary);
            assertThat(staff.get("/q/metrics").text()).doesNotContain(canary);
            assertThat(foundInTables(canary)).as(canary).isEqualTo(canary.equals(THOUGHT) ? 1 : 0);
        }
    }

    /// The number of rows that hold the text. The noise that was appended in clear must be among the dead letters.
    private static long foundInTables(String canary) {
        var hex = HexFormat.of().formatHex(canary.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        var tables = AuditTables.select("select tablename from pg_tables where schemaname = 'public'");
        assertThat(tables).hasSizeGreaterThan(5);
        long found = 0;
        for (var table : tables) {
            found +=
                    AuditTables.count(table + " t where strpos(t::text, ?) > 0 or strpos(t::text, ?) > 0", canary, hex);
        }
        return found;
    }
}
