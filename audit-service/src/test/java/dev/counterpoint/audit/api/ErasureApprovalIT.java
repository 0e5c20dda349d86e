package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// M6: an erasure takes two persons, one who asks and another one who approves.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ErasureApprovalIT extends StoredRecords {
    private static final String ERASURES = "/audit/v1/erasures/";

    private final StaffClient asker = StaffClient.with("asker", "compliance.erase", "compliance.approve");
    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    @Test
    @DisplayName("M6 one token does not erase alone")
    void oneTokenDoesNotEraseAlone() {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        // When
        var asked = asker.askErasure(tenant, "alice");
        var alone = asker.post(ERASURES + id(asked) + "/approve", "");
        // Then
        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        assertThat(asked.json().path("status").asText()).isEqualTo("requested");
        assertThat(asked.json().path("requested_by").asText()).isEqualTo("asker");
        assertThat(asked.json().path("records").asInt()).isOne();
        assertThat(asked.text()).doesNotContain("alice");
        assertThat(alone.status()).isEqualTo(403);
        assertThat(alone.code()).isEqualTo("second_person");
        assertThat(alone.json().at("/error/rule").asText()).contains("another person");
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(200);
        assertThat(actions("asker")).containsExactly("erase denied", "request_erasure granted");
        assertThat(asker.get(ERASURES + id(asked)).json().path("id").asText()).isEqualTo(id(asked));
        assertThat(actions("asker")).startsWith("read_receipt granted");
    }

    @ParameterizedTest(name = "M6 {0} is the same person as asker")
    @ValueSource(strings = {"Asker", "ASKER", "ａｓｋｅｒ", "\u0430sker", "ASK\u0415R", "as\u043aer"})
    void aNameThatReadsTheSameIsTheSamePerson(String name) {
        stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");

        var answer = StaffClient.with(name, "compliance.approve").post(ERASURES + id(asked) + "/approve", "");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("second_person");
    }

    @Test
    @DisplayName("M6 another person approves, and the receipt names both")
    void anotherPersonApproves() {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        assertThat(stillOpen()).contains(id(asked));
        // When
        var receipt = approver.post(ERASURES + id(asked) + "/approve", "");
        // Then
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
        assertThat(receipt.json().path("id").asText()).isEqualTo(id(asked));
        assertThat(receipt.json().path("status").asText()).isEqualTo("pending");
        assertThat(receipt.json().path("keys_destroyed").asInt()).isOne();
        assertThat(receipt.json().path("actor").asText()).isEqualTo("approver");
        assertThat(receipt.json().path("requested_by").asText()).isEqualTo("asker");
        assertThat(receipt.json().path("case_id").asText()).isEqualTo("CASE-2");
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(410);
        assertThat(stillOpen()).doesNotContain(id(asked));
        assertThat(staff.get(ERASURES + id(asked)).json().path("keys"))
                .isEqualTo(receipt.json().path("keys"));
        assertThat(actions("approver")).contains("erase granted");
        var again = approver.post(ERASURES + id(asked) + "/approve", "");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.code()).isEqualTo("not_requested");
    }

    @Test
    void whoApprovesSeesTheNameUntilTheRequestIsDecided() {
        // Given
        stored(Asked.of(tenant, "alice"));
        // When
        var asked = asker.askErasure(tenant, "alice");
        // Then
        var auditor = StaffClient.with("watcher", "auditor");
        assertThat(asked.json().path("subject").isNull()).isTrue();
        assertThat(approver.get(ERASURES + id(asked)).json().path("subject").asText())
                .isEqualTo("alice");
        assertThat(auditor.get(ERASURES + id(asked)).text()).doesNotContain("alice");
        approver.post(ERASURES + id(asked) + "/cancel", "");
        assertThat(AuditTables.count("erasure_request where id = ? and sealed_subject is null", id(asked)))
                .isOne();
        assertThat(approver.get(ERASURES + id(asked)).text()).doesNotContain("alice");
    }

    @ParameterizedTest(name = "M6 {0} cancels")
    @ValueSource(strings = {"asker", "approver"})
    void eitherCancels(String who) {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        // When
        var cancelled = (who.equals("asker") ? asker : approver).post(ERASURES + id(asked) + "/cancel", "");
        var late = approver.post(ERASURES + id(asked) + "/approve", "");
        // Then
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(cancelled.json().path("status").asText()).isEqualTo("cancelled");
        assertThat(cancelled.json().path("decided_by").asText()).isEqualTo(who);
        assertThat(late.code()).isEqualTo("not_requested");
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(200);
        assertThat(staff.get(ERASURES + id(asked)).json().path("status").asText())
                .isEqualTo("cancelled");
        assertThat(stillOpen()).doesNotContain(id(asked));
        assertThat(actions(who)).contains("cancel_erasure granted");
    }

    @Test
    @DisplayName("M6 a request that nobody approves expires")
    void aRequestThatNobodyApprovesExpires() {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        AuditTables.execute("update erasure_request set expires_at = now() where id = ?", id(asked));
        // When
        var late = approver.post(ERASURES + id(asked) + "/approve", "");
        // Then
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.code()).isEqualTo("not_requested");
        assertThat(staff.get(ERASURES + id(asked)).json().path("status").asText())
                .isEqualTo("expired");
        assertThat(stillOpen()).doesNotContain(id(asked));
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("M6 of many approvals at once one erases")
    void ofManyApprovalsAtOnceOneErases() throws Exception {
        // Given
        stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 4; i++) {
            calls.add(() -> approver.post(ERASURES + id(asked) + "/approve", "").status());
        }
        // When
        var statuses = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(calls)) {
                statuses.add(answer.get());
            }
        }
        // Then
        assertThat(statuses).containsExactlyInAnyOrder(200, 409, 409, 409);
    }

    private List<String> stillOpen() {
        var ids = new ArrayList<String>();
        staff.get("/audit/v1/erasures").json().path("data").forEach(asked -> ids.add(id(asked)));
        return ids;
    }

    /// What the actor did with erasures of this tenant, the last first.
    private List<String> actions(String actor) {
        var actions = new ArrayList<String>();
        staff.accessLog("actor=" + actor + "&tenant=" + tenant)
                .json()
                .path("data")
                .forEach(entry -> actions.add(entry.path("action").asText() + " "
                        + entry.path("outcome").asText()));
        return actions;
    }

    private static String id(StaffClient.Answer answer) {
        return id(answer.json());
    }

    private static String id(JsonNode json) {
        return json.path("id").asText();
    }
}
