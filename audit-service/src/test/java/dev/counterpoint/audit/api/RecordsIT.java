package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.frame.OwnerEnd;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Staff searches and reads, and the access log has an entry of each step.
@QuarkusTest
@WithTestResource(AuditParts.class)
class RecordsIT extends StoredRecords {
    @Test
    void recordsAreFoundByEverythingThatIsKnownOfThem() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        var cancelled = Asked.of(tenant, "alice");
        bus.append(bus.partial(cancelled, OwnerEnd.Reason.CANCELLED, false, List.of()));
        AuditTables.await(3, "trace_record where tenant = ?", tenant);
        var after = java.time.Instant.ofEpochMilli(bob.id().acceptedAtMillis());
        // Then
        assertThat(found("")).containsExactlyInAnyOrder(id(cancelled), id(bob), id(alice));
        assertThat(found(", \"subject\": \"alice\"")).containsExactlyInAnyOrder(id(cancelled), id(alice));
        assertThat(found(", \"status\": \"cancelled\"")).containsExactly(id(cancelled));
        assertThat(found(", \"response\": \"resp_" + bob.id() + "\"")).containsExactly(id(bob));
        assertThat(found(", \"model\": \"gpt-oss-20b\"")).hasSize(3);
        assertThat(found(", \"model\": \"other\"")).isEmpty();
        assertThat(found(", \"key\": \"key_1\"")).hasSize(3);
        assertThat(found(", \"from\": \"" + after + "\", \"subject\": \"bob\"")).containsExactly(id(bob));
        assertThat(found(", \"to\": \"" + after + "\", \"subject\": \"bob\"")).isEmpty();
        assertThat(found(", \"subject\": \"nobody\"")).isEmpty();
    }

    @Test
    void aSearchShowsNoContentAndNoSubject() {
        stored(Asked.of(tenant, "alice"));

        assertThat(staff.search("{\"tenant\": \"" + tenant + "\"}").text())
                .contains("subject_token")
                .doesNotContain("a thought")
                .doesNotContain("alice")
                .doesNotContain("content");
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepeat() {
        // Given
        for (int i = 0; i < 7; i++) {
            bus.append(bus.whole(Asked.of(tenant, "alice"), "a thought"));
        }
        AuditTables.await(7, "trace_record where tenant = ?", tenant);
        // When
        var seen = new ArrayList<String>();
        @Nullable String next = null;
        int pages = 0;
        do {
            var after = next == null ? "" : ", \"after\": \"" + next + "\"";
            var page = staff.search("{\"tenant\": \"%s\", \"limit\": 3%s}".formatted(tenant, after))
                    .json();
            page.get("data").forEach(record -> seen.add(record.get("response").asText()));
            next = page.get("next").isNull() ? null : page.get("next").asText();
            pages++;
        } while (next != null);
        // Then
        assertThat(pages).isEqualTo(3);
        assertThat(seen).hasSize(7).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"limit": 0}                    | limit     | invalid_field
            {"limit": 201}                  | limit     | invalid_field
            {"limit": "many"}               | limit     | invalid_field
            {"limit": "5"}                  | limit     | invalid_field
            {"limit": 1.9}                  | limit     | invalid_field
            {"after": "%%%"}                | after     | invalid_field
            {"from": "yesterday"}           | from      | invalid_field
            {"status": "done"}              | status    | invalid_field
            {"response": "resp_1"}          | response  | invalid_field
            {"tenant": ""}                  | tenant    | invalid_field
            {"subject": "alice"}            | tenant    | missing_field
            {"user": "alice"}               | user      | unknown_field
            {"tenant": "a", "tenant": "b"}  |           | invalid_json
            [                               |           | invalid_json
            """)
    void aWrongSearchIsToldWhichFieldAndWhichRule(String body, @Nullable String field, String code) {
        var answer = staff.search(body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.field()).isEqualTo(field == null ? "null" : field);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                          | case_id | missing_field
            {"reason": "why"}                           | case_id | missing_field
            {"case_id": "CASE-1"}                       | reason  | missing_field
            {"case_id": "CASE-1", "reason": "  "}       | reason  | invalid_field
            {"case_id": "CASE-1", "reason": "."}        | reason  | invalid_field
            {"case_id": "CASE-1", "reason": "\\u200b"}  | reason  | invalid_field
            {"case_id": "", "reason": "why"}            | case_id | invalid_field
            {"case_id": "a b", "reason": "why"}         | case_id | invalid_field
            {"case_id": "CASE-1", "reason": "a\\u0000"} | reason  | invalid_field
            """)
    void nobodyReadsWithoutACaseAndAReason(String body, String field, String code) {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        // When
        var answer = staff.post("/audit/v1/records/" + asked.id() + "/read", body);
        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.field()).isEqualTo(field);
        assertThat(answer.text()).doesNotContain("a thought");
        var entry = entries("response=" + asked.id()).getFirst();
        assertThat(entry.get("outcome").asText()).isEqualTo("denied");
        assertThat(entry.get("detail").asText()).isEqualTo(code + " " + field);
    }

    @Test
    void aReasonThatIsTooLongIsRefused() {
        var body = "{\"case_id\": \"CASE-1\", \"reason\": \"%s\"}".formatted("x".repeat(501));

        var answer = staff.post("/audit/v1/records/" + Asked.of(tenant, "x").id() + "/read", body);

        assertThat(answer.field()).isEqualTo("reason");
    }

    @Test
    void readingIsOnRecordWithCaseReasonAndReader() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        // When
        var read = staff.read(id(asked)).json();
        // Then
        var entries = entries("tenant=" + tenant + "&action=read");
        assertThat(entries).hasSize(1);
        assertThat(entries.getFirst().get("id").asText())
                .isEqualTo(read.get("access_entry").asText());
        assertThat(entries.getFirst().get("actor").asText()).isEqualTo("officer");
        assertThat(entries.getFirst().get("case_id").asText()).isEqualTo("CASE-1");
        assertThat(entries.getFirst().get("reason").asText()).isEqualTo("complaint 4711");
        assertThat(entries.getFirst().get("outcome").asText()).isEqualTo("granted");
    }

    @Test
    void readingWhatIsNotThereIsOnRecordToo() {
        // Given
        var id = id(Asked.of(tenant, "alice"));
        // When
        var read = staff.read(id);
        // Then
        assertThat(read.status()).isEqualTo(404);
        assertThat(entries("response=" + id).getFirst().get("outcome").asText()).isEqualTo("empty");
    }

    @Test
    void searchesAreOnRecordWithWhatTheyFoundAndWithoutTheSubjectsName() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        found(", \"subject\": \"alice\", \"model\": \"gpt-oss-20b\"");
        found(", \"model\": \"none\"");
        // Then
        var entries = entries("tenant=" + tenant + "&action=search");
        assertThat(entries).extracting(entry -> entry.get("outcome").asText()).containsExactly("empty", "granted");
        assertThat(entries.getLast().get("records").asInt()).isEqualTo(1);
        assertThat(entries.getLast().get("detail").asText()).isEqualTo("model=gpt-oss-20b");
        assertThat(entries.toString()).doesNotContain("alice");
    }

    @Test
    void aSearchedValueDoesNotReadAsOtherFilters() {
        // When
        found(", \"model\": \"x status=completed\"");
        // Then
        assertThat(entries("tenant=" + tenant).getFirst().get("detail").asText())
                .isEqualTo("model=\"x status=completed\"");
    }

    @Test
    void readingTheAccessLogIsOnRecord() {
        // When
        StaffClient.with("watcher", "auditor").accessLog("tenant=" + tenant);
        // Then
        var entries = entries("actor=watcher");
        assertThat(entries.getFirst().get("action").asText()).isEqualTo("read_access_log");
        assertThat(entries.getFirst().get("detail").asText()).isEqualTo("tenant=" + tenant);
    }

    @Test
    void theAccessLogHasPagesToo() {
        // Given
        for (int i = 0; i < 5; i++) {
            found("");
        }
        // When
        var first = staff.accessLog("limit=3&action=search&tenant=" + tenant).json();
        var second = staff.accessLog("limit=3&action=search&tenant=" + tenant + "&after="
                        + first.get("next").asText())
                .json();
        // Then
        assertThat(first.get("data")).hasSize(3);
        assertThat(second.get("data")).hasSize(2);
        assertThat(second.get("next").isNull()).isTrue();
    }

    private static String id(Asked asked) {
        return asked.id().toString();
    }

    private List<String> found(String more) {
        var answer = staff.search("{\"tenant\": \"" + tenant + "\"" + more + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().get("data").findValuesAsText("response");
    }

    private List<JsonNode> entries(String query) {
        var entries = new ArrayList<JsonNode>();
        staff.accessLog(query).json().get("data").forEach(entries::add);
        return entries;
    }
}
