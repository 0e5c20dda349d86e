package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.testkit.TestConfig;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.TileLogWriter;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is published is in the topic `audit-log`, and no other database takes it back.
@QuarkusTest
@TestProfile(PublishedLogIT.OwnLog.class)
@WithTestResource(AuditParts.class)
public class PublishedLogIT implements AuditParts.NeedsServers {
    /// Rolls its database back. What is granted ends at once.
    public static final class OwnLog implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("audit.erasure-approval", "false", "audit.grant-lifetime", "0s");
        }
    }

    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private final List<LogTopic> opened = new ArrayList<>();
    private @Nullable TestKafka kafka;

    @Inject
    LogTables tables;

    @Inject
    RowMarks marks;

    @Inject
    EventStore events;

    @Inject
    TransactionRole role;

    @Inject
    KafkaClients clients;

    @Inject
    Admin admin;

    @Inject
    Sequencer sequencer;

    @Inject
    @Wellness
    LogIntegrity integrity;

    @Override
    public void accept(TestKafka kafka, TestPostgres postgres) {
        this.kafka = kafka;
    }

    @AfterEach
    void close() {
        opened.forEach(LogTopic::close);
    }

    @Test
    void whatWasAnsweredIsInTheTopic() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        assertThat(search().status()).isEqualTo(200);
        // Then
        assertThat(published()).isEqualTo(leaves()).hasSizeGreaterThan(1);
        assertThat(staff.get("/audit/v1/log/checkpoint").text().lines().skip(1).findFirst())
                .hasValueSatisfying(size -> assertThat(Long.parseLong(size)).isLessThanOrEqualTo(size()));
    }

    @Test
    void aDatabaseThatIsPutBackIsRefusedUntilTheRightOneIsThere() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        search();
        var older = KeptLog.of("older");
        search();
        var newer = KeptLog.of("newer");
        var late = Asked.of(tenant, "alice");
        // When
        older.putBack();
        var first = search();
        var second = search();
        var erased = staff.erase(tenant, "alice");
        var ready = staff.get("/q/health/ready");
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(late, "a thought"));
        }
        AuditTables.await(1, "trace_record where response = ?", late.id().toString());
        assertThatThrownBy(() -> replica(Map.of()).publish()).isInstanceOf(LogFaultException.class);
        newer.putBack();
        // Then
        for (var answer : List.of(first, second, erased)) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("rolled_back");
            assertThat(answer.text()).doesNotContain(alice.id().toString());
        }
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.text()).contains("\"audit log rolled_back\": " + size());
        awaitServed();
        assertThat(AuditTables.count("erasure where tenant = ?", tenant)).isZero();
        AuditTables.await(
                1,
                "trace_record where log_index >= 0 and response = ?",
                late.id().toString());
        assertThat(published()).isEqualTo(leaves());
        older.drop();
        newer.drop();
    }

    @Test
    void anotherLogOfTheSameKeyIsAFork() {
        // Given
        search();
        var older = KeptLog.of("older");
        search();
        var newer = KeptLog.of("newer");
        var signer = new LogSigner(config(Map.of()));
        // When
        older.putBack();
        QuarkusTransaction.requiringNew().run(() -> {
            role.sequencing();
            var head = signer.verified(tables.checkpoint().orElseThrow());
            var other = new TileLogWriter(head, tables);
            var invented = List.of("{}".getBytes(UTF_8), "{}".getBytes(UTF_8), "{}".getBytes(UTF_8));
            tables.append(head.size(), invented);
            other.append(invented);
            tables.publish(signer.sign(other.checkpoint()));
        });
        var answer = search();
        var again = search();
        newer.putBack();
        // Then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("forked");
        assertThat(again.code()).isEqualTo("forked");
        awaitServed();
        older.drop();
        newer.drop();
    }

    @Test
    void nothingLeavesWhileTheBusIsAwayAndTheTopicCatchesUp() {
        // Given
        var broker = Objects.requireNonNull(kafka);
        search();
        // When
        broker.pause();
        var away = search();
        var checkpoint = staff.get("/audit/v1/log/checkpoint");
        broker.resume();
        // Then
        assertThat(away.status()).isEqualTo(503);
        assertThat(away.code()).isEqualTo("unavailable");
        assertThat(away.text()).doesNotContain("data");
        assertThat(checkpoint.status()).isEqualTo(503);
        awaitServed();
        assertThat(AuditTables.count("event where action = 'search' and tenant = ? and log_index >= 0", tenant))
                .isGreaterThanOrEqualTo(3);
        assertThat(published()).isEqualTo(leaves());
    }

    @Test
    void aLostTopicIsPublishedAnew() throws Exception {
        // Given
        search();
        try (var administrator = new KafkaClients(clients.bootstrap(), TestKafka.adminLogin()).admin()) {
            // When
            administrator.deleteTopics(List.of(Topic.AUDIT_LOG)).all().get();
        }
        // Then
        awaitServed();
        assertThat(published()).isEqualTo(leaves()).hasSizeGreaterThan(1);
    }

    @Test
    void aRestoredDatabaseTakesTheLostLeavesFromTheTopicOnce() {
        // Given
        stored(Asked.of(tenant, "alice"));
        search();
        var backup = KeptLog.of("backup");
        long before = size();
        stored(Asked.of(tenant, "bob"));
        search();
        long lostTo = size();
        var published = leaves();
        backup.putBack();
        assertThatThrownBy(() -> replica(restoredTo(lostTo - 1)).publish()).isInstanceOf(LogFaultException.class);
        // When
        replica(restoredTo(lostTo)).publish();
        // Then
        assertThat(leaves()).startsWith(published.toArray(String[]::new)).hasSizeGreaterThan(published.size());
        assertThat(AuditTables.select(
                        "select (body::jsonb ->> 'from') || ' ' || (body::jsonb ->> 'to') from event"
                                + " where action = 'log_restored' and log_index >= ?",
                        lostTo))
                .containsExactly(before + " " + lostTo);
        awaitServed();
        assertThat(staff.accessLog("action=log_restored")
                        .json()
                        .at("/data/0/to")
                        .asLong())
                .isEqualTo(lostTo);
        assertThat(AuditTables.select("select leaves from tenant_head where tenant = ?", tenant))
                .containsExactly(Long.toString(
                        leaves().stream().filter(leaf -> leaf.contains(tenant)).count()));
        integrity.look();
        assertThat(health()).contains("UP");
        AuditTables.execute("delete from event where log_index = ?", size() - 1);
        integrity.look();
        assertThat(health()).contains("missing");
        // And once only
        backup.putBack();
        assertThatThrownBy(() -> replica(restoredTo(lostTo)).publish()).isInstanceOf(LogFaultException.class);
        replica(restoredTo(records().getLast().end())).publish();
        awaitServed();
        backup.drop();
    }

    @Test
    void recordsOfOthersDoNotCount() {
        // Given
        search();
        var first = records().getFirst();
        long size = size();
        // When
        try (var bus = TestBus.ofTest()) {
            bus.append(Topic.AUDIT_LOG, null, "not a record of the log".getBytes(UTF_8));
            bus.append(Topic.AUDIT_LOG, null, first.encode());
        }
        var topic = topic(new LogSigner(config(Map.of())));
        // Then
        assertThat(topic.last().map(note -> new PublishedLeaves(note, List.of()).end()))
                .hasValue(size);
        assertThat(search().status()).isEqualTo(200);
        assertThat(published()).isEqualTo(leaves());
    }

    @Test
    void aNewKeySignsWhatIsPublishedBeforeTheOldOneGoes(@TempDir Path folder) throws Exception {
        // Given
        search();
        var keys = config(Map.of()).keysDir();
        try (var files = Files.list(keys)) {
            for (var file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        GenerateKeys.main(new String[] {"rotate", "add", folder.toString(), "signatures"});
        // When
        replica(Map.of("audit.keys-dir", folder.toString())).publish();
        // Then
        assertThat(records().getLast().note().signatures()).hasSize(2);
        assertThat(search().status()).isEqualTo(200);
    }

    /// A replica that has just started.
    private Sequencer replica(Map<String, String> settings) {
        var config = config(settings);
        var signer = new LogSigner(config);
        var topic = topic(signer);
        var restore = new LogRestore(tables, topic, signer, events, config);
        var logged = Arc.container().listAll(LoggedTable.class).stream()
                .map(InstanceHandle::get)
                .toList();
        return new Sequencer(
                tables, logged, marks, signer, new LogPublisher(tables, topic, signer, restore), List.of(), role);
    }

    private LogTopic topic(LogSigner signer) {
        opened.add(new LogTopic(clients, admin, signer));
        return opened.getLast();
    }

    private static AuditConfig config(Map<String, String> settings) {
        var all = new HashMap<>(settings);
        all.putIfAbsent("audit.keys-dir", ConfigProvider.getConfig().getValue("audit.keys-dir", String.class));
        return TestConfig.of(AuditConfig.class, all);
    }

    private static Map<String, String> restoredTo(long size) {
        return Map.of("audit.log-restored-to", Long.toString(size));
    }

    private Asked stored(Asked asked) {
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(asked, "a thought"));
            AuditTables.await(
                    1,
                    "trace_record where log_index >= 0 and response = ?",
                    asked.id().toString());
        }
        return asked;
    }

    private StaffClient.Answer search() {
        return staff.search("{\"tenant\": \"" + tenant + "\"}");
    }

    private void awaitServed() {
        AuditTables.await(() -> search().status() == 200);
    }

    private static List<String> leaves() {
        return AuditTables.select("select convert_from(leaf, 'UTF8') from log_leaf order by log_index");
    }

    private static long size() {
        return AuditTables.count("log_leaf");
    }

    private List<PublishedLeaves> records() {
        var records = new ArrayList<PublishedLeaves>();
        topic(new LogSigner(config(Map.of()))).all(records::add);
        return records;
    }

    /// The leaves in the topic, once each checkpoint there has their root.
    private List<String> published() {
        sequencer.publish();
        var signer = new LogSigner(config(Map.of()));
        var leaves = new ArrayList<byte[]>();
        for (var record : records()) {
            var checkpoint = signer.verified(record.note());
            int from = Math.toIntExact(checkpoint.size()) - record.leaves().size();
            assertThat(from).isLessThanOrEqualTo(leaves.size());
            leaves.addAll(record.leaves()
                    .subList(
                            Math.min(record.leaves().size(), leaves.size() - from),
                            record.leaves().size()));
            var hashes = leaves.subList(0, Math.toIntExact(checkpoint.size())).stream()
                    .map(MerkleHash::ofLeaf)
                    .toList();
            assertThat(MerkleTree.ofLeaves(hashes).root()).isEqualTo(checkpoint.root());
        }
        return leaves.stream().map(leaf -> new String(leaf, UTF_8)).toList();
    }

    private String health() {
        for (var check : staff.get("/q/health/well").json().path("checks")) {
            if (check.path("name").asText().equals("audit log")) {
                return check.toString();
            }
        }
        throw new AssertionError("no check of that name");
    }
}
