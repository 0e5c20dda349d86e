package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.keys.KeyService;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An attacker with the password of the database changes rows. The service shows no changed record.
@QuarkusTest
@WithTestResource(AuditParts.class)
class TamperIT extends StoredRecords {
    /// In a build a few bits show that the service checks; each night it is every 13th.
    private static final int STEP = Integer.getInteger("scale", 1) == 1 ? 13 * 11 : 13;

    @Test
    void theSmallestChangeOfAnyColumnOfARecordIsRefused() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        var columns = AuditTables.select("""
            select column_name || ' ' || data_type from information_schema.columns
            where table_name = 'trace_record'
                and column_name not in ('seq', 'lane', 'number', 'response', 'content', 'personal_hash', 'removed_by')\
            """);
        assertThat(columns).hasSizeGreaterThan(15);
        // Then
        for (var column : columns) {
            var name = column.substring(0, column.indexOf(' '));
            var type = column.substring(column.indexOf(' ') + 1);
            assertChangeIsRefused(
                    asked, "trace_record", "response = '" + asked.id() + "'", new Change(name, changed(name, type)));
        }
    }

    private static String changed(String name, String type) {
        return switch (type) {
            case "bytea" -> "set_byte(%1$s, 0, get_byte(%1$s, 0) # 1)".formatted(name);
            case "timestamp with time zone" -> name + " + interval '1 microsecond'";
            case "boolean" -> "not " + name;
            case "bigint" -> name + " + 1000000";
            case "integer" -> name + " # 1";
            default -> "chr(ascii(%1$s) # 1) || substr(%1$s, 2)".formatted(name);
        };
    }

    @Test
    void aRecordUnderAnotherResponsesNameIsRefused() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        var other = Asked.of(tenant, "alice").id().toString();
        // When
        AuditTables.execute(
                "update trace_record set response = ? where response = ?",
                other,
                asked.id().toString());
        // Then
        assertThat(staff.read(other).code()).isEqualTo("altered");
    }

    @Test
    void everyFlippedBitOfTheContentIsRefused() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        int bits = 8
                * Integer.parseInt(AuditTables.select(
                                "select length(content) from trace_record where response = ?",
                                asked.id().toString())
                        .getFirst());
        // Then: every 13th bit meets each part of the ciphertext, and each place within a byte
        for (int bit = 0; bit < bits; bit += STEP) {
            assertChangeIsRefused(
                    asked,
                    "trace_record",
                    "response = '" + asked.id() + "'",
                    new Change("content", "set_bit(content, %1$d, 1 - get_bit(content, %1$d))".formatted(bit)));
        }
    }

    @Test
    void changedKeysAreRefused() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        var mine = "tenant = '" + tenant + "'";
        var flipped = "set_bit(%1$s, %2$d, 1 - get_bit(%1$s, %2$d))";
        // Then
        for (int bit = 0; bit < 8 * 60; bit += STEP) {
            assertChangeIsRefused(
                    asked, "data_key", mine, new Change("wrapped_key", flipped.formatted("wrapped_key", bit)));
            if (bit < 8 || bit >= 8 * KeyService.Version.BYTES) { // there it names another root key: RootRewrapIT
                assertChangeIsRefused(
                        asked, "tenant_key", mine, new Change("wrapped_key", flipped.formatted("wrapped_key", bit)));
            }
        }
        for (var column : List.of("month text", "created_at timestamp with time zone", "subject_token bytea")) {
            var name = column.substring(0, column.indexOf(' '));
            assertChangeIsRefused(
                    asked,
                    "data_key",
                    mine,
                    new Change(name, changed(name, column.substring(column.indexOf(' ') + 1))));
        }
    }

    @Test
    void aTenantsTwoKeysDoNotStandForEachOther() {
        var asked = stored(Asked.of(tenant, "alice"));

        AuditTables.execute(
                "update tenant_key set wrapped_key = wrapped_search_key, wrapped_search_key = wrapped_key"
                        + " where tenant = ?",
                tenant);

        assertThat(staff.read(asked.id().toString()).code()).isEqualTo("altered");
    }

    @Test
    void aTenantsKeysThatAreGoneServeNobody() {
        // Given a service that has just used them
        stored(Asked.of(tenant, "alice"));
        var wanted = "{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}";
        assertThat(staff.search(wanted).json().get("data")).hasSize(1);
        // When
        AuditTables.execute("delete from data_key where tenant = ?", tenant);
        AuditTables.execute("delete from tenant_key where tenant = ?", tenant);
        // Then
        assertThat(staff.search(wanted).json().get("data")).isEmpty();
    }

    @Test
    void contentThatWasSwappedWithAnotherRecordsIsRefused() {
        // Given two records of one subject, so even of one key
        var one = stored(Asked.of(tenant, "alice"));
        var other = stored(Asked.of(tenant, "alice"));
        // When
        AuditTables.execute("""
            update trace_record r set content = o.content from trace_record o
            where r.tenant = ? and o.tenant = r.tenant and o.response <> r.response\
            """, tenant);
        // Then
        assertThat(staff.read(one.id().toString()).code()).isEqualTo("altered");
        assertThat(staff.read(other.id().toString()).code()).isEqualTo("altered");
    }

    @Test
    void wrappedKeysThatWereSwappedBetweenSubjectsOrTenantsAreRefused() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        var foreign = stored(Asked.of("other-" + tenant, "alice"));
        // When
        AuditTables.execute("""
            update data_key k set wrapped_key = o.wrapped_key from data_key o
            where k.tenant = ? and o.tenant = k.tenant and o.id <> k.id\
            """, tenant);
        AuditTables.execute("""
            update tenant_key set wrapped_key = (select wrapped_key from tenant_key where tenant = ?)
            where tenant = ?\
            """, tenant, "other-" + tenant);
        // Then
        for (var asked : List.of(alice, bob, foreign)) {
            assertThat(staff.read(asked.id().toString()).code()).isEqualTo("altered");
        }
    }

    @ParameterizedTest(name = "M4 a search shows no false {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "tenant | $$somebody-else$$",
                "model | $$other$$",
                "status | $$cancelled$$",
                "key_id | $$key_2$$",
                "accepted_at | accepted_at - interval '1 day'",
                "reasoning_tokens | 0",
                "data_key_id | $$none$$"
            })
    void anAlteredRowIsShownAsAltered(String column, String value) {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        var wanted = "{\"response\": \"" + asked.id() + "\"}";
        assertThat(staff.search(wanted).json().at("/data/0/tenant").asText()).isEqualTo(tenant);
        // When
        AuditTables.execute(
                "update trace_record set %s = %s where response = ?".formatted(column, value),
                asked.id().toString());
        // Then it says so and shows none of its values
        var found = staff.search(wanted).json().get("data");
        assertThat(found).hasSize(1);
        assertThat(found.get(0).get("altered").asBoolean()).isTrue();
        assertThat(found.get(0).get("response").asText()).isEqualTo(asked.id().toString());
        assertThat(found.get(0).size()).isEqualTo(2);
    }

    @Test
    void aSearchOpensNoContent() {
        // Given a row whose content would not open
        var asked = stored(Asked.of(tenant, "alice"));
        AuditTables.execute("update trace_record set content = '' where tenant = ?", tenant);
        // When
        var found = staff.search("{\"tenant\": \"" + tenant + "\"}").json().at("/data/0");
        // Then
        assertThat(found.path("model").asText()).isEqualTo("gpt-oss-20b");
        assertThat(staff.read(asked.id().toString()).code()).isEqualTo("altered");
    }

    @Test
    void aRowOfTheVersionBeforeIsCheckedByItsContent() {
        // Given
        stored(Asked.of(tenant, "alice"));
        var wanted = "{\"tenant\": \"" + tenant + "\"}";
        AuditTables.execute(
                "update trace_record set mac = null, salt = null, log_index = null where tenant = ?", tenant);
        assertThat(staff.search(wanted).json().at("/data/0/model").asText()).isEqualTo("gpt-oss-20b");
        // When
        AuditTables.execute("update trace_record set model = 'other' where tenant = ?", tenant);
        // Then
        assertThat(staff.search(wanted).json().at("/data/0/altered").asBoolean())
                .isTrue();
    }

    @Test
    void aChangedRowOfAnErasedSubjectIsShownAsAltered() {
        // Given
        stored(Asked.of(tenant, "alice"));
        staff.erase(tenant, "alice");
        // When
        AuditTables.execute("update trace_record set model = 'other' where tenant = ?", tenant);
        // Then
        assertThat(staff.search("{\"tenant\": \"" + tenant + "\"}")
                        .json()
                        .at("/data/0/altered")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aRefusedReadingIsOnRecord() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        AuditTables.execute(
                "update trace_record set model = 'other' where response = ?",
                asked.id().toString());
        // When
        var read = staff.read(asked.id().toString());
        // Then
        assertThat(read.status()).isEqualTo(500);
        assertThat(read.text()).doesNotContain("a thought");
        var entry = staff.accessLog("response=" + asked.id()).json().get("data").get(0);
        assertThat(entry.get("outcome").asText()).isEqualTo("altered");
    }

    /// @param expression in SQL, the column's new value
    private record Change(String column, String expression) {}

    private void assertChangeIsRefused(Asked asked, String table, String where, Change change) {
        AuditTables.execute("create table kept as select * from %s where %s".formatted(table, where));
        try {
            AuditTables.execute(
                    "update %s set %s = %s where %s".formatted(table, change.column, change.expression, where));
            assertThat(staff.read(asked.id().toString()).code())
                    .as("%s of %s", change, table)
                    .isEqualTo("altered");
        } finally {
            AuditTables.execute(
                    "update %1$s set %2$s = (select %2$s from kept) where %3$s".formatted(table, change.column, where));
            AuditTables.execute("drop table kept");
        }
        assertThat(staff.read(asked.id().toString()).status()).as("as it was").isEqualTo(200);
    }
}
