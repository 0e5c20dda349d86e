package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/// A subject is erased by destroying its keys.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ErasuresIT extends StoredRecords {
    @Test
    void anErasedSubjectIsReadByNobodyAndTheOthersStay() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        // When
        var erased = staff.erase(tenant, "alice");
        // Then
        assertThat(erased.status()).as(erased.text()).isEqualTo(200);
        assertThat(erased.json().get("keys_destroyed").asInt()).isEqualTo(1);
        assertThat(erased.json().get("records").asInt()).isEqualTo(1);
        assertThat(erased.text()).doesNotContain("alice");
        var read = staff.read(alice.id().toString());
        assertThat(read.status()).isEqualTo(410);
        assertThat(read.code()).isEqualTo("erased");
        assertThat(staff.read(bob.id().toString()).status()).isEqualTo(200);
        var found = staff.search("{\"response\": \"" + alice.id() + "\"}").json();
        assertThat(found.get("data").get(0).get("erased").asBoolean()).isTrue();
    }

    @Test
    void aNameIsOnePersonInAllItsForms() {
        // Given
        var composed = stored(Asked.of(tenant, "Zo\u00eb"));
        var decomposed = stored(Asked.of(tenant, " Zoe\u0308"));
        // When
        var erased = staff.erase(tenant, "Zoe\u0308 ");
        // Then
        assertThat(erased.json().path("records").asInt()).as(erased.text()).isEqualTo(2);
        assertThat(staff.read(composed.id().toString()).status()).isEqualTo(410);
        assertThat(staff.read(decomposed.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void aPersonWhoseNameCannotBeSentIsFoundAndErasedByToken() {
        // Given a name that gateways of before let in
        var asked = stored(Asked.of(tenant, "a\tb" + "x".repeat(600)));
        var token = staff.search("{\"response\": \"" + asked.id() + "\"}")
                .json()
                .at("/data/0/subject_token")
                .asText();
        var named = "{\"tenant\": \"%s\", \"subject_token\": \"%s\"".formatted(tenant, token);
        // When
        var found = staff.search(named + "}");
        var erased = staff.erased(staff.post(
                "/audit/v1/requests", named + ", \"action\": \"erase\", \"case_id\": \"C\", \"reason\": \"r\"}"));
        // Then
        assertThat(found.json().path("data")).as(found.text()).hasSize(1);
        assertThat(erased.json().path("records").asInt()).as(erased.text()).isOne();
        assertThat(staff.read(asked.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void theReceiptIsKept() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        var receipt = staff.erase(tenant, "alice").json();
        var kept = StaffClient.with("other", "auditor")
                .get("/audit/v1/erasures/" + receipt.get("id").asText())
                .json();
        // Then
        assertThat(kept.get("actor").asText()).isEqualTo("colleague");
        assertThat(kept.get("requested_by").asText()).isEqualTo("officer");
        assertThat(kept.get("case_id").asText()).isEqualTo("CASE-2");
        assertThat(kept.get("reason").asText()).isEqualTo("asked for it");
        assertThat(kept.get("keys")).isEqualTo(receipt.get("keys"));
        assertThat(kept.get("purged_at").isNull()).isFalse();
        var entry = staff.accessLog("action=erase&tenant=" + tenant)
                .json()
                .get("data")
                .get(0);
        assertThat(entry.get("detail").asText())
                .isEqualTo("receipt=" + receipt.get("id").asText());
    }

    @Test
    void erasingAgainDestroysNothingAndSaysSo() {
        // Given
        stored(Asked.of(tenant, "alice"));
        staff.erase(tenant, "alice");
        // When
        var again = staff.erase(tenant, "alice").json();
        var unknown = staff.erase("nobody-" + tenant, "alice");
        var every = staff.erase("*", "alice");
        // Then
        assertThat(again.get("keys_destroyed").asInt()).isZero();
        assertThat(again.get("records").asInt()).isZero();
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(every.status()).isEqualTo(404);
        assertThat(AuditTables.count("tenant_key where tenant in ('*', ?)", "nobody-" + tenant))
                .isZero();
    }

    @Test
    void whatComesLaterGetsAKeyOfItsOwnAndTheOldRecordsStayClosed() {
        // Given
        var before = stored(Asked.of(tenant, "alice"));
        staff.erase(tenant, "alice");
        // When
        var after = stored(Asked.of(tenant, "alice"));
        // Then
        assertThat(staff.read(after.id().toString()).status()).isEqualTo(200);
        assertThat(staff.read(before.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void theHolderOfAKeyIsErasedWhereRequestsNamedNobody() {
        // Given
        var named = stored(Asked.of(tenant, "alice"));
        var nameless = stored(Asked.of(tenant, ""));
        // When
        var erased = staff.erased(staff.post(
                "/audit/v1/requests",
                "{\"action\": \"erase\", \"tenant\": \"%s\", \"key\": \"key_1\", \"case_id\": \"C\", \"reason\": \"r\"}"
                        .formatted(tenant)));
        // Then
        assertThat(erased.json().get("records").asInt()).isEqualTo(1);
        assertThat(staff.read(nameless.id().toString()).status()).isEqualTo(410);
        assertThat(staff.read(named.id().toString()).status()).isEqualTo(200);
    }

    @Test
    void theDestroyedKeyIsInNoTableAndInNoFileOfItsTable() {
        // Given
        stored(Asked.of(tenant, "alice"));
        stored(Asked.of(tenant, "bob"));
        var wrapped = AuditTables.select("""
                        select encode(k.wrapped_key, 'hex') from data_key k join trace_record r on r.data_key_id = k.id
                        where r.tenant = ? order by r.seq""", tenant).getFirst();
        assertThat(inTheFile(wrapped)).isTrue();
        // When
        staff.erase(tenant, "alice");
        // Then
        assertThat(inTheFile(wrapped)).isFalse();
        for (var table : AuditTables.select("select tablename from pg_tables where schemaname = 'public'")) {
            assertThat(AuditTables.count(table + " t where strpos(t::text, ?) > 0", wrapped))
                    .as(table)
                    .isZero();
        }
    }

    @Test
    void anErasureRewritesTheFileOfItsKeysOnly() {
        // Given
        stored(Asked.of(tenant, "alice"));
        var files = "select pg_relation_filenode(inhrelid) from pg_inherits where inhparent = 'data_key'::regclass";
        var before = AuditTables.select(files);
        assertThat(before).hasSize(256);
        // When
        staff.erase(tenant, "alice");
        // Then
        var after = AuditTables.select(files);
        after.removeAll(before);
        assertThat(after).hasSize(1);
    }

    /// True when the bytes stand anywhere in the file on disk, also in a deleted row.
    private static boolean inTheFile(String hex) {
        AuditTables.execute("checkpoint");
        return AuditTables.count("""
                        pg_inherits where inhparent = 'data_key'::regclass and
                        strpos(encode(pg_read_binary_file(pg_relation_filepath(inhrelid)), 'hex'), ?) > 0""", hex) > 0;
    }

    @Test
    void aKeyThatIsGoneWithoutAReceiptIsCalledWhatItIs() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        // When
        AuditTables.execute("delete from data_key where tenant = ?", tenant);
        var read = staff.read(asked.id().toString());
        // Then
        assertThat(read.status()).isEqualTo(500);
        assertThat(read.code()).isEqualTo("altered");
    }
}
