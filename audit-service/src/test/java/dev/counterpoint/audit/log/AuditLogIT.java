package dev.counterpoint.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.SigningKeyPairs;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileAudit;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileStore;
import dev.counterpoint.tlog.VerifierKey;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Entries of the access log are leaves of a signed log, and an answer waits for that.
@QuarkusTest
@WithTestResource(AuditParts.class)
class AuditLogIT {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();

    @Inject
    Sequencer sequencer;

    @Test
    void whoHasThePublicKeyVerifiesTheWholeLogAndFindsEachAnsweredEntry() throws Exception {
        // Given a tenant with records, and many answers at once
        AuditTables.execute(
                "insert into tenant_key (tenant, wrapped_key, wrapped_search_key, created_at) values (?, '', '',"
                        + " now())",
                tenant);
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 300; i++) {
            calls.add(() -> search().status());
        }
        // When
        try (var threads = Executors.newFixedThreadPool(6)) {
            for (var answer : threads.invokeAll(calls)) {
                assertThat(answer.get()).isEqualTo(200);
            }
        }
        // Then
        var leaves = new ArrayList<String>();
        var checkpoint = verified();
        var fault = TileAudit.audit(
                new ServedTiles(staff),
                checkpoint,
                (_, entry) -> leaves.add(new String(entry, StandardCharsets.UTF_8)));
        assertThat(fault).isEmpty();
        var expected = AuditTables.select("""
            select format('%s %s', log_index, encode(sha256(salt || convert_to(body, 'UTF8')), 'base64'))
            from event where tenant = ? order by log_index\
            """, tenant);
        assertThat(expected).hasSize(300);
        for (int i = 0; i < expected.size(); i++) {
            var parts = expected.get(i).split(" ");
            assertThat(leaves.get(Integer.parseInt(parts[0])))
                    .contains("\"c\":\"" + parts[1] + "\"", "\"n\":" + (i + 1), "\"t\":\"" + tenant + "\"");
        }
    }

    private Checkpoint verified() {
        var config = ConfigProvider.getConfig();
        var keys = SigningKeyPairs.load(config.getValue("audit.keys-dir", Path.class), ServiceRole.AUDIT);
        var key = new VerifierKey(
                "counterpoint.local/audit",
                SignatureType.ED25519,
                keys.getFirst().getPublic());
        var note = staff.get("/audit/v1/log/checkpoint");
        assertThat(note.status()).isEqualTo(200);
        return LogPolicy.ofLogs(key).verify(SignedNote.parse(note.http().body()));
    }

    /// The tiles as an auditor gets them.
    private record ServedTiles(StaffClient auditor) implements TileStore {
        @Override
        public Optional<byte[]> read(TileId id) {
            var answer = auditor.get("/audit/v1/log/" + id.path());
            return answer.status() == 200 ? Optional.of(answer.http().body()) : Optional.empty();
        }

        @Override
        public void write(Map<TileId, byte[]> tiles) {
            throw new UnsupportedOperationException();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "body | replace(body, 'officer', 'nobody!')",
                "salt | set_byte(salt, 3, get_byte(salt, 3) # 1)",
                "mac | set_byte(mac, 3, get_byte(mac, 3) # 1)",
                "log_index | log_index + 1000000",
                "id | concat(id, 'x')",
                "personal | json_build_object($$subject_token$$, $$00$$)::text"
            })
    void aChangedEntryIsShownAsAltered(String column, String value) {
        // Given
        search();
        assertThat(entries()).hasSize(1);
        // When
        AuditTables.execute("create table kept as select * from event where tenant = ?", tenant);
        AuditTables.execute("update event set %s = %s where tenant = ?".formatted(column, value), tenant);
        // Then
        var shown = staff.accessLog("tenant=" + tenant).json().at("/data/0");
        assertThat(shown.path("altered").asBoolean()).isTrue();
        assertThat(shown.size()).isEqualTo(2);
        AuditTables.execute("""
            update event set id = kept.id, body = kept.body, salt = kept.salt, mac = kept.mac,
                personal = kept.personal, log_index = kept.log_index from kept where event.arrival = kept.arrival\
            """);
        AuditTables.execute("drop table kept");
        assertThat(entries()).containsExactly("search");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"replace(body, 'officer', 'innocent')", "body"})
    void anInsertedEventGetsNoLeafAndIsNotShown(String body) {
        // Given
        search();
        // When
        AuditTables.execute("""
            insert into event (id, body, salt, mac)
            select id || '-forged', replace(body, 'officer', 'innocent'), salt, mac
            from event where tenant = ?\
            """, tenant);
        search();
        // Then
        assertThat(AuditTables.select("select log_index >= 0 from event where tenant = ? order by arrival", tenant))
                .containsExactly("t", "f", "t");
        assertThat(entries()).hasSize(2);
        AuditTables.execute("delete from event where tenant = ? and log_index < 0", tenant);
    }

    @Test
    void anAnswerDoesNotLeaveWhenSomebodyTakesItsEntryBack() {
        // Given somebody with the rights of a superuser
        AuditTables.execute("""
            create function take_back() returns trigger language plpgsql security definer as
            $$ begin delete from event where id = new.id; return null; end $$\
            """);
        AuditTables.execute("""
            create constraint trigger take_back after insert on event deferrable initially deferred
            for each row execute function take_back()\
            """);
        // When
        var answer = search();
        AuditTables.execute("drop trigger take_back on event");
        AuditTables.execute("drop function take_back");
        // Then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("unavailable");
        assertThat(answer.text()).doesNotContain("data");
        assertThat(search().status()).isEqualTo(200);
    }

    @Test
    void anEntryOfTheVersionBeforeIsTakenOver() {
        // Given
        AuditTables.execute("""
            insert into access_entry (id, at, actor, source, action, outcome, tenant, records)
            values (?, '2026-11-01T12:00:00.123Z', 'old', 'audit', 'search', 'empty', ?, 0)\
            """, tenant, tenant);
        // When
        sequencer.publishForOthers();
        // Then
        var data = staff.accessLog("tenant=" + tenant + "&actor=old").json().get("data");
        assertThat(data).hasSize(1);
        assertThat(data.get(0).path("imported").asBoolean()).isTrue();
        assertThat(data.get(0).path("at").asText()).isEqualTo("2026-11-01T12:00:00.123Z");
        assertThat(staff.accessLog("tenant=" + tenant + "&actor=officer").text())
                .doesNotContain("imported\"");
    }

    @Test
    void onlyAuditorsGetTheLogAndNothingThatIsNotInIt() {
        search();
        var other = StaffClient.with("reader", "compliance.read");

        assertThat(other.get("/audit/v1/log/checkpoint").status()).isEqualTo(403);
        assertThat(other.get("/audit/v1/log/tile/0/000.p/1").status()).isEqualTo(403);
        for (var path : List.of("tile/0/000.p/0", "tile/7/000", "tile/0/x999/999")) {
            assertThat(staff.get("/audit/v1/log/" + path).status()).as(path).isEqualTo(404);
        }
    }

    private StaffClient.Answer search() {
        return staff.search("{\"tenant\": \"" + tenant + "\"}");
    }

    private List<String> entries() {
        var actions = new ArrayList<String>();
        staff.accessLog("tenant=" + tenant + "&action=search")
                .json()
                .get("data")
                .forEach(entry -> actions.add(entry.path("action").asText()));
        return actions;
    }
}
