package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.store.TransactionRole;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A hold keeps records until two persons release it.
@QuarkusTest
@WithTestResource(AuditParts.class)
class HoldsIT extends StoredRecords {
    @Inject
    EventStore events;

    @Inject
    TransactionRole role;

    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\"subject\":\"alice\"",
                "\"conversation\":\"CONVERSATION\"",
                "\"response\":\"RESPONSE\"",
                "\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2099-01-01T00:00:00Z\""
            })
    void aHoldBeatsAnErasureUntilTwoPersonsReleaseIt(String kept) {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        var conversation = AuditTables.select(
                        "select conversation from trace_record where response = ?",
                        alice.id().toString())
                .getFirst();
        var hold = place(kept.replace("CONVERSATION", conversation)
                .replace("RESPONSE", alice.id().toString()));
        assertThat(hold.status()).as(hold.text()).isEqualTo(200);
        // When
        var asked = staff.askErasure(tenant, "alice");
        var refused = approver.approve(id(asked));
        // Then
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("held");
        assertThat(refused.text()).contains("CASE-7");
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
        assertThat(staff.accessLog("actor=approver&action=approve&tenant=" + tenant)
                        .json()
                        .at("/data/0/outcome")
                        .asText())
                .isEqualTo("denied");
        if (kept.startsWith("\"subject\"") || kept.startsWith("\"response\"")) {
            assertThat(staff.erase(tenant, "bob").status()).isEqualTo(200);
            assertThat(staff.read(bob.id().toString()).status()).isEqualTo(410);
        }
        // When
        var release = staff.post(
                "/audit/v1/requests",
                "{\"action\":\"release-hold\",\"hold\":\"%s\",\"case_id\":\"CASE-7\",\"reason\":\"closed\"}"
                        .formatted(id(hold)));
        assertThat(release.status()).as(release.text()).isEqualTo(202);
        assertThat(staff.approve(id(release)).code()).isEqualTo("second_person");
        assertThat(status(hold)).isEqualTo("active");
        assertThat(approver.approve(id(release)).status()).isEqualTo(200);
        // Then
        assertThat(status(hold)).isEqualTo("released");
        assertThat(approver.approve(id(asked)).status()).isEqualTo(200);
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void nothingIsErasedAfterARestoreUntilTwoPersonsConfirmIt() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var confirmation = "{\"action\":\"confirm-restore\",\"case_id\":\"CASE-9\",\"reason\":\"placed again\"}";
        assertThat(staff.post("/audit/v1/requests", confirmation).code()).isEqualTo("nothing_lost");
        QuarkusTransaction.requiringNew().run(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            events.append(
                    UUID.randomUUID().toString(),
                    Map.of("action", "log_restored", "outcome", "granted", "at", 1L, "from", 7, "to", 9),
                    new TreeMap<>());
        });
        // When
        var asked = staff.askErasure(tenant, "alice");
        var refused = approver.approve(id(asked));
        var confirmed = staff.post("/audit/v1/requests", confirmation);
        // Then
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("holds_lost");
        assertThat(confirmed.json().path("records").asInt())
                .as(confirmed.text())
                .isEqualTo(2);
        assertThat(staff.approve(id(confirmed)).code()).isEqualTo("second_person");
        assertThat(approver.approve(id(confirmed)).status()).isEqualTo(200);
        assertThat(approver.approve(id(asked)).status()).isEqualTo(200);
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(410);
    }

    @Test
    void aForgedReleaseReleasesNothing() {
        // Given
        stored(Asked.of(tenant, "alice"));
        var hold = place("\"subject\":\"alice\"");
        var asked = staff.askErasure(tenant, "alice");
        // When
        AuditTables.execute(
                "insert into event (id, body, salt, mac) values (?, ?, '', '')",
                UUID.randomUUID().toString(),
                "{\"action\":\"hold_released\",\"at\":1,\"hold\":\"%s\",\"outcome\":\"granted\",\"tenant\":\"%s\"}"
                        .formatted(id(hold), tenant));
        // Then
        assertThat(approver.approve(id(asked)).code()).isEqualTo("held");
    }

    @Test
    void aHoldAndAnErasureAtOnceDoNotBothHappen() throws Exception {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var asked = id(staff.askErasure(tenant, "alice"));
        List<Callable<Integer>> calls = List.of(
                () -> approver.approve(asked).status(),
                () -> place("\"response\":\"" + alice.id() + "\"").status());
        // When
        int erased;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = threads.invokeAll(calls);
            erased = answers.getFirst().get();
            assertThat(answers.getLast().get()).isEqualTo(200);
        }
        // Then
        assertThat(erased).isIn(200, 409);
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(erased == 200 ? 410 : 200);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\"subject\":\"alice\",\"response\":\"000000000000000000000000000000000000000000000000\"",
                "\"from\":\"2026-01-01T00:00:00Z\"",
                "\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"",
                "\"subject\":\"alice\",\"key\":\"key_1\""
            })
    void aHoldThatDoesNotSayWhatItKeepsIsRefused(String kept) {
        stored(Asked.of(tenant, "alice"));
        var answer = place(kept);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).isNotEmpty();
    }

    private StaffClient.Answer place(String kept) {
        return staff.post(
                "/audit/v1/holds",
                "{\"tenant\":\"%s\",%s,\"case_id\":\"CASE-7\",\"reason\":\"a trial\"}".formatted(tenant, kept));
    }

    private String status(StaffClient.Answer hold) {
        for (var found : staff.get("/audit/v1/holds?tenant=" + tenant).json().path("data")) {
            if (found.path("id").asText().equals(id(hold))) {
                return found.path("status").asText();
            }
        }
        throw new AssertionError("no such hold");
    }

    private static String id(StaffClient.Answer answer) {
        return answer.json().path("id").asText();
    }
}
