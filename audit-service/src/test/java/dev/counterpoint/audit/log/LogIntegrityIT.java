package dev.counterpoint.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Changes to the tables of the audit log are found.
@QuarkusTest
@TestProfile(LogIntegrityIT.OwnDatabase.class)
@WithTestResource(AuditParts.class)
public class LogIntegrityIT {
    private static final int LEAVES = 600;

    /// Other tests change rows behind the service's back. Here one person may erase alone, erasures are lost, and a key
    /// of ML-DSA signs too.
    public static class OwnDatabase implements QuarkusTestProfile {
        private static final String ORIGIN = "counterpoint.local/audit";

        private static String mlDsaKey() {
            try {
                var file = Files.createTempDirectory("log-key").resolve("ml-dsa");
                PrivateFile.write(
                        file,
                        NoteSigner.generate(ORIGIN, SignatureType.ML_DSA_44).secret());
                return file.toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "audit.erasure-approval",
                    "false",
                    "audit.erasures-lost-since",
                    "2026-11-29T12:00:00Z",
                    "audit.frames-gone-after",
                    "5s",
                    "audit.log-ml-dsa-keys",
                    mlDsaKey());
        }
    }

    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();

    @Inject
    @Wellness
    LogIntegrity integrity;

    @Inject
    Sequencer sequencer;

    @BeforeEach
    void fill() {
        if (AuditTables.count("log_leaf") < LEAVES) {
            var asked = Asked.of(tenant, "alice");
            try (var bus = TestBus.ofTest()) {
                bus.append(bus.whole(asked, "a thought"));
                AuditTables.await(
                        1, "trace_record where response = ?", asked.id().toString());
                bus.append(Topic.AUDIT, "key", "not a record".getBytes(StandardCharsets.UTF_8));
                AuditTables.await(1, "dead_letter where log_index >= 0");
            }
            staff.search("{\"subject\": \"alice\", \"tenant\": \"" + tenant + "\"}");
            IntStream.range(0, LEAVES).parallel().forEach(_ -> staff.search("{\"tenant\": \"" + tenant + "\"}"));
        }
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "missing | 300 | delete from event where log_index = 300",
                "missing | 600 | delete from event",
                "missing | 600 | delete from trace_record",
                "altered | 600 | update trace_record set model = 'other'",
                "altered | 600 | update trace_record set conversation = 'other'",
                "altered | 600 | update trace_record set subject_token = 'other'",
                "missing | 600 | update trace_record set subject_token = null, conversation = null,"
                        + " personal_salt = null,"
                        + " personal_hash = sha256(byteacat(personal_salt, convert_to(concat('{\"conversation\":\"',"
                        + " conversation, '\",\"subject_token\":\"', encode(subject_token, 'hex'), '\"}'), 'UTF8')))"
                        + " where personal_salt is not null",
                "missing | 600 | update event set personal = null, personal_salt = null where personal is not null",
                "missing | 600 | update event set personal = '{}' where personal is not null",
                "missing | 600 | delete from dead_letter",
                "altered | 600 | update dead_letter set body = set_bit(body, 9, 1 - get_bit(body, 9))",
                "altered | 600 | update dead_letter set kafka_offset = kafka_offset + 1000000",
                "altered | 600 | update dead_letter set received_at = received_at - interval '1 day'",
                "altered | 600 | update dead_letter set cause = 'NONE'",
                "missing | 7 | delete from log_leaf where log_index = 7",
                "altered | 299 | update event set body = replace(body, 'search', 'nosuch') where log_index = 299",
                "altered | 299 | update event set salt = set_byte(salt, 0, get_byte(salt, 0) # 1) where log_index ="
                        + " 299",
                "altered | 299 | update event set mac = set_byte(mac, 0, get_byte(mac, 0) # 1) where log_index = 299",
                "altered | 2 | update log_leaf set leaf = set_byte(leaf, 2, 65) where log_index = 2",
                "altered | 1000 | update log_tile set hashes = set_byte(hashes, 9, get_byte(hashes, 9) # 1) where"
                        + " number = 1"
            })
    void aChangeIsNamed(String kind, long index, String sql) {
        assertThat(checked().path("status").asText()).isEqualTo("UP");
        var kept = KeptLog.of("kept");
        // When
        AuditTables.execute(sql);
        var health = checked();
        // Then
        kept.putBack();
        kept.drop();
        assertThat(health.path("status").asText()).isEqualTo("DOWN");
        assertThat(health.at("/data/fault").asText()).isEqualTo(kind);
        assertThat(health.at("/data/index").asLong()).isLessThanOrEqualTo(index);
        assertThat(health.toString()).doesNotContain(tenant);
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    @Test
    void anOlderStateIsARollBack() {
        // Given
        var older = AuditTables.select("select note from log_head").getFirst();
        staff.search("{}");
        assertThat(checked().path("status").asText()).isEqualTo("UP");
        var note = AuditTables.select("select note from log_head").getFirst();
        // When
        AuditTables.execute("update log_head set note = ?", older);
        var health = checked();
        // Then
        AuditTables.execute("update log_head set note = ?", note);
        assertThat(health.at("/data/fault").asText()).isEqualTo("rolled_back");
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    @Test
    void aTextThatIsNoTenantsNameStopsNothing() {
        try (var bus = TestBus.ofTest()) {
            for (var text : List.of("a\"b", "a".repeat(70_000))) {
                var id = "entry-" + UUID.randomUUID();
                bus.append(new AccessEntry(id, 1, "key_raw", text, id, AccessEntry.Action.RAW_REASONING_SHOWN));
            }
        }
        AuditTables.await(2, "event where log_index >= 0 and actor = 'key_raw'");
        assertThat(checked().path("status").asText()).isEqualTo("UP");
    }

    /// What health says after a look.
    private JsonNode checked() {
        sequencer.publishForOthers();
        integrity.look();
        for (var check : staff.get("/q/health/well").json().path("checks")) {
            if (check.path("name").asText().equals("audit log")) {
                return check;
            }
        }
        throw new AssertionError("no check of that name");
    }
}
