package dev.counterpoint.audit.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/// A rotated root key takes over what the old one wrapped, beside running intake.
@QuarkusTest
@TestProfile(RootRewrapIT.Alone.class)
@WithTestResource(AuditParts.class)
@TestMethodOrder(OrderAnnotation.class)
class RootRewrapIT {
    /// A database of its own, because other tests leave keys that do not open.
    public static final class Alone implements QuarkusTestProfile {}

    private static final int TENANTS = 5_000;

    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private final Path file = setting("audit.root-keyset-file");
    private final Passphrase passphrase = Passphrase.in(setting("audit.root-passphrase-file"));

    @Inject
    @Wellness
    RootRewrap rewrap;

    @Inject
    KeyService root;

    /// First, because a replica opens its keyset anew once in ten seconds at most.
    @Test
    @Order(1)
    void aRotatedRootTakesOverEverythingAndTheOldKeyCanGo() throws Exception {
        var before = root.describe().current();
        try (var bus = TestBus.ofTest()) {
            // Given records, an erasure, and many tenants
            var asked = Asked.of(tenant, "alice");
            bus.append(bus.whole(asked, "a thought"));
            var gone = Asked.of(tenant, "bob");
            bus.append(bus.whole(gone, "a thought of bob"));
            AuditTables.await(2, "trace_record where tenant = ? and log_index >= 0", tenant);
            assertThat(staff.erase(tenant, "bob").status()).isEqualTo(200);
            AuditTables.execute("delete from tenant_key where wrapped_key = ''"); // of other tests
            addTenants();
            rewrap.run(); // the pass of the start
            // When the keyset is rotated, and this replica meets a key that the new one wrapped
            RootKeyset.rotate(file, passphrase);
            var rotated = RootKeyset.load(file, passphrase);
            var context = "a context".getBytes(UTF_8);
            assertThat(root.unwrap(rotated.wrap(context, context), context)).isEqualTo(context);
            var after = root.describe().current();
            assertThat(after).isEqualTo(rotated.describe().current()).isNotEqualTo(before);
            rewrap.run();
            assertThat(wrappedBy(before)).isPositive();
            var more = Asked.of(tenant, "carol");
            bus.append(bus.whole(more, "a thought meanwhile"));
            long began = System.nanoTime();
            rewrap.wrapAnew();
            double seconds = (System.nanoTime() - began) / 1e9;
            System.out.printf("AUDIT REWRAP %.0f keys/s%n", 2 * TENANTS / seconds);
            // Then
            assertThat(wrappedBy(before)).isZero();
            assertThat(wrappedBy(after)).isGreaterThanOrEqualTo(2 * TENANTS + 1);
            assertThat(check().path("status").asText()).isEqualTo("UP");
            assertThat(count("tenant_key", "wrapped_key", before)).isZero();
            assertThat(count("tenant_key", "wrapped_search_key", before)).isZero();
            assertThat(count("log_secret", "wrapped", before)).isZero();
            assertThat(count("erasure", "sealed", before)).isZero();
            // Then without the old key
            RootKeyset.retire(file, passphrase, before.name());
            var alone = RootKeyset.load(file, passphrase);
            assertThat(alone.describe().readable()).containsExactly(after);
            var wrapped =
                    AuditTables.select("select encode(wrapped_key, 'hex') from tenant_key where tenant = ?", tenant);
            assertThat(alone.unwrap(HexFormat.of().parseHex(wrapped.getFirst()), context("wrapping")))
                    .hasSize(32);
            AuditTables.await(1, "trace_record where response = ?", more.id().toString());
            assertThat(staff.read(asked.id().toString()).status()).isEqualTo(200);
            assertThat(staff.read(more.id().toString()).status()).isEqualTo(200);
            assertThat(staff.read(gone.id().toString()).status()).isEqualTo(410);
            assertThat(staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}")
                            .json()
                            .get("data"))
                    .hasSize(1);
        } finally {
            AuditTables.execute("delete from tenant_key where tenant like 'rewrapped-%'");
        }
    }

    @Test
    void aKeyThatNoRootKeyOpensIsNamedAndHoldsUpNoOther() {
        // Given one that somebody changed, and one of a root key that is not here
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(Asked.of(tenant, "alice"), "a thought"));
            AuditTables.await(1, "trace_record where tenant = ?", tenant);
        }
        AuditTables.execute("create table kept_keys as select * from tenant_key where tenant = ?", tenant);
        AuditTables.execute(
                "update tenant_key set wrapped_key = '\\x01aabbccdd00', wrapped_search_key = '\\x0000000000'"
                        + " where tenant = ?",
                tenant);
        // When
        rewrap.wrapAnew();
        var health = check();
        var read = staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}");
        // Then
        AuditTables.execute(
                "update tenant_key set wrapped_key = kept.wrapped_key, wrapped_search_key = kept.wrapped_search_key"
                        + " from kept_keys kept where tenant_key.tenant = kept.tenant");
        AuditTables.execute("drop table kept_keys");
        assertThat(health.path("status").asText()).isEqualTo("DOWN");
        assertThat(health.at("/data/wrapped by a missing one, 01aabbccdd").asLong())
                .isOne();
        assertThat(read.status()).isEqualTo(503);
        rewrap.wrapAnew();
        assertThat(check().path("status").asText()).isEqualTo("UP");
    }

    @Test
    void aKeyInUseIsNotRetired() {
        var current = root.describe().current().name();

        assertThatThrownBy(() -> RootKeysetCommand.retire(file, setting("audit.root-passphrase-file"), current))
                .hasMessageContaining("wraps with " + current);
        assertThatThrownBy(() -> RootKeysetCommand.retire(file, setting("audit.root-passphrase-file"), "abc"))
                .hasMessage("the root keyset has no key abc");
    }

    private void addTenants() throws SQLException {
        try (var connection = AuditTables.connect();
                var statement = connection.prepareStatement(
                        "insert into tenant_key (tenant, wrapped_key, wrapped_search_key, created_at)"
                                + " values (?, ?, ?, now())")) {
            for (int i = 0; i < TENANTS; i++) {
                var name = "rewrapped-" + i;
                statement.setString(1, name);
                statement.setBytes(2, root.wrap(new byte[32], context(name, "wrapping")));
                statement.setBytes(3, root.wrap(new byte[32], context(name, "search")));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private byte[] context(String purpose) {
        return context(tenant, purpose);
    }

    private static byte[] context(String tenant, String purpose) {
        return new CanonicalEncoder("tenant-key-1").text(tenant).text(purpose).toBytes();
    }

    private static long count(String table, String column, KeyService.Version version) {
        return AuditTables.count(
                "%s where encode(substring(%s from 1 for 5), 'hex') = ?".formatted(table, column), version.header());
    }

    private long wrappedBy(KeyService.Version version) {
        return check().path("data").path("wrapped by " + version).asLong();
    }

    /// What health says.
    private JsonNode check() {
        for (var check : staff.get("/q/health/well").json().path("checks")) {
            if (check.path("name").asText().equals("root keys")) {
                return check;
            }
        }
        throw new AssertionError("no check of that name");
    }

    private static Path setting(String name) {
        return ConfigProvider.getConfig().getValue(name, Path.class);
    }
}
