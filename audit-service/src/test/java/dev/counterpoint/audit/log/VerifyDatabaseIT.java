package dev.counterpoint.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.records.RetentionPurge;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SigningKeyPairs;
import dev.counterpoint.cli.Counterpoint;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.VerifierKey;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `counterpoint audit verify db` on the database that this service writes.
@QuarkusTest
@TestProfile(VerifyDatabaseIT.Alone.class)
@WithTestResource(AuditParts.class)
class VerifyDatabaseIT {
    /// A log in which the first leaves are this test's.
    public static final class Alone extends LogIntegrityIT.OwnDatabase {}

    private static final boolean WHOLE = Integer.getInteger("scale", 1) > 1;
    private static final int LEAVES = WHOLE ? 2_000 : 300;
    private static final int EDITS = WHOLE ? 500 : Integer.getInteger("edits", 12);
    private static final long SEED = Long.getLong("seed", 49);

    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();

    @Inject
    ActionRequests requests;

    @Inject
    RetentionPurge purge;

    @BeforeEach
    void fill() {
        if (AuditTables.count("trace_record where log_index >= 0 and personal_salt is not null") < 2
                || AuditTables.count("event where log_index >= 0 and personal is not null") == 0) {
            try (var bus = TestBus.ofTest()) {
                bus.append(bus.whole(Asked.of(tenant, "alice"), "a thought"));
                bus.append(bus.whole(Asked.of(tenant, "bob"), "a thought"));
                AuditTables.await(2, "trace_record where log_index >= 0 and tenant = ?", tenant);
                bus.append(Topic.AUDIT, "key", "not a record".getBytes(StandardCharsets.UTF_8));
                AuditTables.await(1, "dead_letter where log_index >= 0");
            }
            staff.search("{\"subject\": \"alice\", \"tenant\": \"" + tenant + "\"}");
        }
        if (AuditTables.count("log_leaf") < LEAVES) {
            IntStream.range(0, LEAVES).parallel().forEach(_ -> staff.search("{\"tenant\": \"" + tenant + "\"}"));
        }
    }

    @Test
    void acceptsWhatTheServiceWrote() {
        staff.search("{\"subject\": \"alice\", \"tenant\": \"" + tenant + "\"}");

        assertThat(verified())
                .isEqualTo("0 {\"ok\":true,\"kind\":null,\"first_bad\":null,\"size\":%d}"
                        .formatted(AuditTables.count("log_leaf")));
    }

    @Test
    void acceptsThatAnErasureTookAPersonOut() {
        // Given
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(Asked.of(tenant, "carol"), "a thought"));
            AuditTables.await(1, "trace_record where log_index >= 0 and tenant = ?", tenant);
        }
        // When
        var erasure = staff.erase(tenant, "carol");
        assertThat(erasure.status()).isEqualTo(200);
        // Then
        requests.forgetNames();
        AuditTables.await(
                1,
                "event asked join event removed on removed.id = asked.removed_by"
                        + " where asked.id = ? and removed.log_index >= 0",
                erasure.json().path("id").asText());
        assertThat(AuditTables.count("trace_record where tenant = ? and personal_hash is not null", tenant))
                .isOne();
        assertThat(verified()).startsWith("0 ");
    }

    @Test
    void acceptsWhatRetentionPurgedAndAnErasedTenant() throws SQLException {
        // Given
        var id = ResponseId.create(System.currentTimeMillis(), 3);
        var erased = "erased-" + tenant;
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(new Asked(id, tenant, AuditParts.BRIEF_KEY, "carol"), "a thought"));
            bus.append(bus.whole(Asked.of(erased, "carol"), "a thought"));
            AuditTables.await(1, "trace_record where log_index >= 0 and response = ?", id.toString());
            AuditTables.await(1, "trace_record where log_index >= 0 and tenant = ?", erased);
        }
        // When
        purge.purge(Instant.now().plus(Duration.ofDays(2)));
        // Then
        assertThat(AuditTables.count("trace_record where response = ? and content is null", id.toString()))
                .isOne();
        assertThat(verified()).startsWith("0 ");
        // When
        var asked = staff.post("/audit/v1/requests", """
            {"action":"erase-tenant","tenant":"%s","case_id":"CASE-2","reason":"the tenant left"}\
            """.formatted(erased));
        assertThat(staff.erased(asked).status()).isEqualTo(200);
        // Then
        assertThat(AuditTables.count("trace_record where tenant = ? and subject_token is null", erased))
                .isOne();
        assertThat(verified()).startsWith("0 ");
        // and only a purge takes content
        assertThat(verifiedAfter("update trace_record set content = null where tenant = '" + erased + "'"))
                .contains("deleted");
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "edited | 30 | update event set body = replace(body, '\"at\":1', '\"at\":2') where log_index = 30",
                "edited | 30 | update event set salt = set_byte(salt, 0, get_byte(salt, 0) # 1) where log_index = 30",
                "edited | 30 | update event set id = 'other' where log_index = 30",
                "edited | 30 | update event set personal = '{}' where log_index = 30",
                "edited | r | update trace_record set model = 'other'",
                "edited | r | update trace_record set conversation = 'other'",
                "edited | r | update trace_record set subject_token = 'other'",
                "edited | r | update trace_record set ended_at = ended_at + interval '1 microsecond'",
                "edited | r | update trace_record set content = set_bit(content, 9, 1 - get_bit(content, 9))",
                "edited | r | update trace_record set salt = null",
                "edited | p | update trace_record set personal_salt = null",
                "deleted | p | update trace_record set subject_token = null, conversation = null, personal_salt = null,"
                        + " personal_hash = sha256(byteacat(personal_salt, convert_to(concat('{\"conversation\":\"',"
                        + " conversation, '\",\"subject_token\":\"', encode(subject_token, 'hex'), '\"}'), 'UTF8')))"
                        + " where personal_salt is not null",
                "deleted | c | update event set personal = null, personal_salt = null where personal is not null",
                "edited | d | update dead_letter set body = set_bit(body, 9, 1 - get_bit(body, 9))",
                "edited | d | update dead_letter set partition = 1000",
                "edited | d | update dead_letter set received_at = received_at + interval '1 microsecond'",
                "edited | d | update dead_letter set salt = null",
                "deleted | d | delete from dead_letter",
                "inserted | d | update event set log_index = (select min(log_index) from dead_letter"
                        + " where log_index >= 0) where log_index = 50",
                "deleted | r | alter table trace_record alter content drop not null;"
                        + " update trace_record set content = null",
                "deleted | 30 | delete from event where log_index = 30",
                "deleted | r | delete from trace_record",
                "truncated | t | delete from event where log_index > 30; delete from trace_record where log_index > 30;"
                        + " delete from dead_letter where log_index > 30",
                "inserted | r | update event set log_index = (select min(log_index) from trace_record"
                        + " where log_index >= 0) where log_index = 50",
                "inserted | 1000000 | insert into event (id, body, salt, mac, log_index)"
                        + " select 'x', body, salt, mac, 1000000 from event where log_index = 30",
                "forged | null | insert into event (id, body, salt, mac, log_index)"
                        + " select 'x', body, salt, mac, -7 from event where log_index = 30",
                "reordered | 30 | update event set log_index = 1000000 where log_index = 30;"
                        + " update event set log_index = 30 where log_index = 31;"
                        + " update event set log_index = 31 where log_index = 1000000",
                "edited | 30 | update log_leaf set leaf = set_byte(leaf, 2, 65) where log_index = 30",
                "edited | 30 | update log_leaf set leaf = set_byte(leaf, octet_length(leaf) - 9,"
                        + " get_byte(leaf, octet_length(leaf) - 9) # 1) where log_index = 30",
                "deleted | 30 | delete from log_leaf where log_index = 30",
                "truncated | t | delete from log_leaf where log_index > 30; delete from event where log_index > 30;"
                        + " delete from trace_record where log_index > 30;"
                        + " delete from dead_letter where log_index > 30",
                "rolled_back | s | insert into log_leaf select 1000000, leaf from log_leaf where log_index = 30",
                "edited | any | update log_tile set hashes = set_byte(hashes, 9, get_byte(hashes, 9) # 1) where"
                        + " number = 0 and level = 0",
                "deleted | any | delete from log_tile where level = 0",
                "forged | null | update log_head set note = replace(note, '/audit', '/audix')",
                "rolled_back | 0 | delete from log_head",
                "edited | null | update tenant_head set leaves = leaves + 1"
            })
    void aChangeIsNamed(String kind, String firstBad, String sql) throws SQLException {
        // Given
        var index = switch (firstBad) {
            case "r" ->
                AuditTables.select("select min(log_index) from trace_record where log_index >= 0")
                        .getFirst();
            case "p" ->
                AuditTables.select("select min(log_index) from trace_record where personal_salt is not null")
                        .getFirst();
            case "c" ->
                AuditTables.select("select min(log_index) from event where personal is not null")
                        .getFirst();
            case "d" ->
                AuditTables.select("select min(log_index) from dead_letter where log_index >= 0")
                        .getFirst();
            case "s" ->
                AuditTables.select("select max(log_index) + 1 from log_leaf").getFirst();
            case "t" -> "31";
            default -> firstBad;
        };
        // When
        var answer = verifiedAfter(sql);
        // Then
        assertThat(answer).startsWith("1 {\"ok\":false,\"kind\":\"" + kind + "\",");
        assertThat(answer).contains(index.equals("any") ? "" : "\"first_bad\":" + index + ",");
        assertThat(answer).doesNotContain(tenant);
        assertThat(verified()).startsWith("0 ");
    }

    /// Any bit of any column that the log commits to, or a whole row.
    @Test
    void findsEveryRandomEdit() throws SQLException {
        var random = new Random(SEED);
        var columns = AuditTables.select("""
            select concat_ws(' ', table_name, column_name, data_type) from information_schema.columns
            where table_name in ('event', 'trace_record', 'dead_letter', 'log_leaf', 'log_tile', 'tenant_head')
                and is_generated = 'NEVER' and is_identity = 'NO'
                and column_name not in ('mac', 'removed_by') order by 1\
            """);
        for (int i = 0; i < EDITS; i++) {
            var sql = edit(columns.get(random.nextInt(columns.size())).split(" ", 3), random);

            assertThat(verifiedAfter(sql)).as("seed %d: %s", SEED, sql).startsWith("1 ");
        }
        assertThat(verified()).startsWith("0 ");
    }

    private static String edit(String[] column, Random random) {
        var there = column[2].equals("bytea") ? "octet_length(%2$s) > 0" : "%2$s::text <> ''";
        var leaf = column[0].startsWith("log") || column[0].startsWith("tenant") ? "" : " and log_index >= 0";
        var row = ("from %1$s where ctid = (select ctid from %1$s where " + there + leaf
                        + " order by random() limit 1)")
                .formatted(column[0], column[1]);
        var seeded = "select setseed(" + random.nextDouble() + "); ";
        if (random.nextInt(10) == 0) {
            return seeded + "delete " + row;
        }
        int at = random.nextInt(1 << 20);
        var changed = switch (column[2]) {
            case "bytea" -> "set_bit(%1$s, %2$d %% bit_length(%1$s), 1 - get_bit(%1$s, %2$d %% bit_length(%1$s)))";
            case "timestamp with time zone" -> "%1$s + interval '1 microsecond'";
            case "boolean" -> "not %1$s";
            case "bigint", "integer" -> "%1$s # (1 << (%2$d %% 20))";
            default ->
                "overlay(%1$s placing chr(ascii(substr(%1$s, 1 + %2$d %% length(%1$s), 1)) # 1)"
                        + " from 1 + %2$d %% length(%1$s) for 1)";
        };
        return seeded
                + "update %s set %s = %s where %s"
                        .formatted(
                                column[0],
                                column[1],
                                changed.formatted(column[1], at),
                                row.substring(row.indexOf("ctid")));
    }

    @Test
    void aDatabaseOfWhichItSeesNothingIsNotGood() throws SQLException {
        // When
        var empty = verifiedAfter("delete from event; delete from trace_record; delete from dead_letter;"
                + " delete from log_leaf; delete from log_tile;"
                + " delete from log_head; delete from tenant_head");
        // Then
        assertThat(empty).startsWith("2 ");
        assertThat(verified("&options=-c%20role=counterpoint_audit_staff")).startsWith("2 ");
    }

    @Test
    void acceptsAPolicyThatRequiresBothSignatures(@TempDir Path folder) throws IOException {
        // Given
        var file = ConfigProvider.getConfig().getValue("audit.log-ml-dsa-keys", Path.class);
        var mlDsa = NoteSigner.parse(Files.readString(file)).verifier();
        var other = NoteSigner.generate(mlDsa.name(), SignatureType.ML_DSA_44).verifier();
        var text = "log %s\nwitness ml-dsa %s\nquorum ml-dsa\n";
        var policy = Files.writeString(folder.resolve("policy"), text.formatted(key(), mlDsa));
        var wrong = Files.writeString(folder.resolve("wrong"), text.formatted(key(), other));
        // Then
        assertThat(verified("", "--policy", policy.toString())).startsWith("0 ");
        assertThat(verified("", "--policy", wrong.toString())).startsWith("1 ").contains("forged");
    }

    /// Changes the tables, verifies them and puts them back.
    private static String verifiedAfter(String sql) throws SQLException {
        try (var _ = KeptLog.pause()) {
            var kept = KeptLog.of("verified");
            AuditTables.execute(sql);
            var answer = verified();
            kept.putBack();
            kept.drop();
            return answer;
        }
    }

    private static String verified() {
        return verified("");
    }

    private static String verified(String options) {
        return verified(options, "--key", key().toString());
    }

    private static VerifierKey key() {
        var folder = ConfigProvider.getConfig().getValue("audit.keys-dir", Path.class);
        var keys = SigningKeyPairs.load(folder, ServiceRole.AUDIT);
        return new VerifierKey(
                "counterpoint.local/audit",
                SignatureType.ED25519,
                keys.getFirst().getPublic());
    }

    /// Exit code and output.
    private static String verified(String options, String trust, String trusted) {
        var config = ConfigProvider.getConfig();
        var url = "%s%suser=%s&password=%s%s"
                .formatted(
                        config.getValue("quarkus.datasource.jdbc.url", String.class),
                        config.getValue("quarkus.datasource.jdbc.url", String.class)
                                        .contains("?")
                                ? "&"
                                : "?",
                        config.getValue("test.superuser.name", String.class),
                        config.getValue("test.superuser.password", String.class),
                        options);
        var out = new StringWriter();
        int code = Counterpoint.run(
                new PrintWriter(out, true),
                new PrintWriter(System.err, true),
                "audit",
                "verify",
                "db",
                url,
                trust,
                trusted,
                "--json");
        return code + " " + out.toString().strip();
    }
}
