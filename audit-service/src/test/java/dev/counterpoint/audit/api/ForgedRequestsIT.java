package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import dev.counterpoint.audit.requests.StaffPerson;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An attacker with the password of the database writes and changes requests and decisions. They do nothing.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ForgedRequestsIT extends StoredRecords {
    private static final String REQUESTS = "/audit/v1/requests/";

    private final StaffClient asker = StaffClient.with("asker", "compliance.erase");
    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");

    @Inject
    ActionRequests requests;

    @Inject
    AccessLogStore accessLog;

    @ParameterizedTest(name = "F1 {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "subject | personal = replace(personal, subject_token, (select encode(r.subject_token, 'hex')"
                        + " from trace_record r where r.tenant = event.tenant limit 1))",
                "asker | body = replace(body, 'asker', 'other')",
                "expiry | body = replace(body, '\"expires_at\":\"2', '\"expires_at\":\"3')",
                "tenant | body = replace(body, 'tenant-', 'tenant_')",
                "place | log_index = null"
            })
    void aChangedRequestIsNone(String what, String change) {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var id = id(asker.askErasure(tenant, "nobody-x"));
        // When
        AuditTables.execute("update event set " + change + " where id = ?", id);
        var answer = approver.approve(id);
        // Then
        if (what.equals("place")) { // it is as it was written, but its first leaf has no row
            assertThat(answer.code()).isEqualTo("events_missing");
        } else {
            assertThat(answer.status()).as(answer.text()).isEqualTo(404);
        }
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("F2 an inserted request is none")
    void anInsertedRequestIsNone() {
        // Given a copy of a true request, under another name and about somebody else
        var carol = stored(Asked.of(tenant, "carol"));
        var id = id(asker.askErasure(tenant, "nobody-x"));
        var forged = UUID.randomUUID().toString();
        AuditTables.execute("""
            insert into event (id, body, personal, personal_salt, salt, mac)
            select ?, replace(replace(body, id, ?), 'asker', 'officer'), personal, personal_salt, salt, mac
            from event where id = ?\
            """, forged, forged, id);
        // Then
        assertThat(approver.approve(forged).status()).isEqualTo(404);
        assertThat(staff.read(carol.id().toString()).status()).isEqualTo(200);
        assertThat(staff.get("/audit/v1/requests?status=requested").text()).doesNotContain(forged);
    }

    @ParameterizedTest(name = "an inserted {0} decides nothing")
    @CsvSource({"approve, 200", "cancel, 200"})
    void anInsertedDecisionDecidesNothing(String action, int approved) {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var id = id(asker.askErasure(tenant, "alice"));
        AuditTables.execute(
                """
            insert into event (id, body, salt, mac) values (?, ?, '', '')\
            """,
                UUID.randomUUID().toString(),
                "{\"action\":\"%s\",\"at\":1,\"outcome\":\"granted\",\"request\":\"%s\"}".formatted(action, id));
        // Then
        assertThat(staff.get(REQUESTS + id).json().path("status").asText()).isEqualTo("requested");
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
        assertThat(approver.approve(id).status()).isEqualTo(approved);
    }

    @Test
    @DisplayName("M6 a request that nobody approves expires")
    void aRequestThatNobodyApprovesExpires() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var token = AuditTables.select("select encode(subject_token, 'hex') from trace_record where tenant = ?", tenant)
                .getFirst();
        var id = UUID.randomUUID().toString();
        var access = requests.asking(
                id, new StaffPerson("asker", "i", "s"), new Erase(tenant, token), Map.of("sealed", new byte[] {1}));
        accessLog.write(id, access.because("C", "r").member("expires_at", "2026-01-01T00:00:00Z"));
        staff.search("{}"); // publishes it
        // When
        var late = approver.approve(id);
        requests.forgetNames();
        // Then
        assertThat(late.code()).as(late.text()).isEqualTo("not_requested");
        assertThat(staff.get(REQUESTS + id).json().path("status").asText()).isEqualTo("expired");
        assertThat(AuditTables.count("event where id = ? and personal is null", id))
                .isOne();
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(200);
    }

    @Test
    void ofApprovingAndCancellingAtOnceOneHappens() throws Exception {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var id = id(asker.askErasure(tenant, "alice"));
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 3; i++) {
            calls.add(() -> approver.approve(id).status());
            calls.add(() -> asker.cancel(id).status());
        }
        // When
        var statuses = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(calls)) {
                statuses.add(answer.get());
            }
        }
        // Then
        assertThat(statuses).containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409);
        var status = staff.get(REQUESTS + id).json().path("status").asText();
        assertThat(staff.read(alice.id().toString()).status()).isEqualTo(status.equals("approved") ? 410 : 200);
    }

    @Test
    @DisplayName("B9 nobody finds an erased person by name")
    void nobodyFindsAnErasedPersonByName() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        bus.append(bus.closing(alice, "described"));
        AuditTables.await(1, "event where id = ? and log_index >= 0", "response_closed_" + alice.id());
        var token = staff.search("{\"response\": \"" + alice.id() + "\"}")
                .json()
                .at("/data/0/subject_token")
                .asText();
        staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}");
        // When
        staff.erase(tenant, "alice");
        // Then
        var found = staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}")
                .json();
        assertThat(found.path("data")).isEmpty();
        var shown =
                staff.search("{\"response\": \"" + alice.id() + "\"}").json().at("/data/0");
        assertThat(shown.path("erased").asBoolean()).as(shown.toString()).isTrue();
        assertThat(shown.path("subject_token").isNull()).isTrue();
        assertThat(shown.path("conversation").isNull()).isTrue();
        assertThat(shown.path("model").asText()).isEqualTo("gpt-oss-20b");
        assertThat(shown.path("evidence").asText()).isEqualTo("confirmed");
        assertThat(AuditTables.select("select action from event where subject_token = ? order by arrival", token))
                .isEqualTo(List.of("search")); // the one after the erasure
        assertThat(AuditTables.count("trace_record where encode(subject_token, 'hex') = ?", token))
                .isZero();
    }

    @Test
    void aPersonWhomSomebodyElseTakesOutOfARowIsMissed() {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        staff.erase(tenant, "alice");
        var bob = stored(Asked.of(tenant, "bob"));
        // When
        AuditTables.execute(
                """
            update trace_record set subject_token = null, conversation = null, personal_salt = null,
                removed_by = (select removed_by from trace_record where response = ?),
                personal_hash = (select personal_hash from trace_record where response = ?) where response = ?\
            """, alice.id().toString(), alice.id().toString(), bob.id().toString());
        // Then
        assertThat(staff.read(bob.id().toString()).code()).isEqualTo("altered");
        assertThat(staff.search("{\"response\": \"" + bob.id() + "\"}")
                        .json()
                        .at("/data/0/altered")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void anEntryWithoutItsPersonIsShownAsAltered() {
        // Given
        stored(Asked.of(tenant, "alice"));
        staff.search("{\"tenant\": \"" + tenant + "\", \"subject\": \"alice\"}");
        // When
        AuditTables.execute("update event set personal = null, personal_salt = null where tenant = ?", tenant);
        // Then
        var entry = staff.accessLog("action=search&tenant=" + tenant).json().at("/data/0");
        assertThat(entry.path("altered").asBoolean()).isTrue();
    }

    private static String id(StaffClient.Answer answer) {
        return answer.json().path("id").asText();
    }
}
