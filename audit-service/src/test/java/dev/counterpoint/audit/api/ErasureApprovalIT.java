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
    private static final String REQUESTS = "/audit/v1/requests/";

    private final StaffClient asker = StaffClient.with("asker", "compliance.erase", "compliance.approve");
    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    @Test
    @DisplayName("M6 one token does not erase alone")
    void oneTokenDoesNotEraseAlone() {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        // When
        var asked = asker.askErasure(tenant, "alice");
        var alone = asker.approve(id(asked));
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
        assertThat(actions("asker")).containsExactly("approve denied", "request granted");
        assertThat(asker.get(REQUESTS + id(asked)).json().path("id").asText()).isEqualTo(id(asked));
        assertThat(actions("asker")).startsWith("read_request granted");
    }

    @ParameterizedTest(name = "M6 {0} is the same person as asker")
    @ValueSource(strings = {"Asker", "ASKER", "ａｓｋｅｒ", "\u0430sker", "ASK\u0415R", "as\u043aer"})
    void aNameThatReadsTheSameIsTheSamePerson(String name) {
        stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");

        var answer = StaffClient.with(name, "compliance.approve").approve(id(asked));

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
        var receipt = approver.approve(id(asked));
        // Then
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
        assertThat(receipt.json().path("id").asText()).isEqualTo(id(asked));
        assertThat(receipt.json().path("status").asText()).isEqualTo("approved");
        assertThat(receipt.json().path("decided_by").asText()).isEqualTo("approver");
        assertThat(receipt.json().path("decision_reason").asText()).isEqualTo("it is justified");
        var result = receipt.json().path("result");
        assertThat(result.path("status").asText()).isEqualTo("pending");
        assertThat(result.path("keys_destroyed").asInt()).isOne();
        assertThat(result.path("actor").asText()).isEqualTo("approver");
        assertThat(result.path("requested_by").asText()).isEqualTo("asker");
        assertThat(result.path("case_id").asText()).isEqualTo("CASE-2");
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(410);
        assertThat(stillOpen()).doesNotContain(id(asked));
        assertThat(staff.get(REQUESTS + id(asked)).json().at("/result/keys")).isEqualTo(result.path("keys"));
        assertThat(actions("approver")).contains("erase granted", "approve granted");
        var again = approver.approve(id(asked));
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
        assertThat(approver.get(REQUESTS + id(asked)).json().path("subject").asText())
                .isEqualTo("alice");
        assertThat(auditor.get(REQUESTS + id(asked)).text()).doesNotContain("alice");
        approver.cancel(id(asked));
        assertThat(AuditTables.count("event where id = ? and personal is null", id(asked)))
                .isOne();
        assertThat(approver.get(REQUESTS + id(asked)).text()).doesNotContain("alice");
    }

    @ParameterizedTest(name = "M6 {0} cancels")
    @ValueSource(strings = {"asker", "approver"})
    void eitherCancels(String who) {
        // Given
        var record = stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        // When
        var cancelled = (who.equals("asker") ? asker : approver).cancel(id(asked));
        var late = approver.approve(id(asked));
        // Then
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(cancelled.json().path("status").asText()).isEqualTo("cancelled");
        assertThat(cancelled.json().path("decided_by").asText()).isEqualTo(who);
        assertThat(late.code()).isEqualTo("not_requested");
        assertThat(staff.read(record.id().toString()).status()).isEqualTo(200);
        assertThat(staff.get(REQUESTS + id(asked)).json().path("status").asText())
                .isEqualTo("cancelled");
        assertThat(stillOpen()).doesNotContain(id(asked));
        assertThat(actions(who)).contains("cancel granted");
    }

    @Test
    @DisplayName("M6 of many approvals at once one erases")
    void ofManyApprovalsAtOnceOneErases() throws Exception {
        // Given
        stored(Asked.of(tenant, "alice"));
        var asked = asker.askErasure(tenant, "alice");
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 4; i++) {
            calls.add(() -> approver.approve(id(asked)).status());
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
        staff.get("/audit/v1/requests?status=requested").json().path("data").forEach(asked -> ids.add(id(asked)));
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
