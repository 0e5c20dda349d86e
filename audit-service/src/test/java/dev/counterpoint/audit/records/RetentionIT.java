package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.ResponseId;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Records stay as long as their class says: not longer, unless a hold covers them, and not shorter.
@QuarkusTest
@WithTestResource(AuditParts.class)
class RetentionIT {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private final StaffClient approver = StaffClient.with("approver", "compliance.approve");
    private TestBus bus;

    @Inject
    RetentionPurge purge;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    @Test
    void recordsGoWhenTheMaximumOfTheirClassHasPassed() {
        // Given
        var brief = stored(asked(tenant, AuditParts.BRIEF_KEY, "alice"));
        var classless = stored(Asked.of(tenant, "alice"));
        bus.append(bus.closing(brief, "released"));
        AuditTables.await(1, "event where action = 'response_closed' and response = ? and log_index >= 0", id(brief));
        // When
        purge.purge(Instant.now().plus(Duration.ofHours(23)));
        // Then
        assertThat(staff.read(id(brief)).status()).isEqualTo(200);
        // When
        purge.purge(Instant.now().plus(Duration.ofHours(25)));
        // Then content and person are gone, and an event covers both leaves
        assertThat(staff.read(id(brief)).status()).isEqualTo(410);
        assertThat(AuditTables.count("""
            trace_record where response = ? and content is null and subject_token is null and conversation is null
            and personal_salt is null and personal_hash is not null\
            """, id(brief))).isOne();
        assertThat(AuditTables.count("event where response = ? and personal is not null", id(brief)))
                .isZero();
        assertThat(AuditTables.select("""
            select body::jsonb ->> 'covers' from event where tenant = ? and action = 'records_purged'\
            """, tenant).getFirst())
                .contains(AuditTables.select("select log_index from trace_record where response = ?", id(brief))
                        .getFirst());
        // and the key stays for the record that needs it
        assertThat(staff.read(id(classless)).status()).isEqualTo(200);
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isOne();
    }

    @Test
    void theLastRecordOfAKeyTakesItAway() {
        // Given
        var brief = stored(asked(tenant, AuditParts.BRIEF_KEY, "alice"));
        // When
        purge.purge(Instant.now().plus(Duration.ofHours(25)));
        // Then
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isZero();
        assertThat(staff.read(id(brief)).status()).isEqualTo(410);
        assertThat(staff.search("{\"tenant\": \"" + tenant + "\"}")
                        .json()
                        .at("/data/0/erased")
                        .asBoolean())
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\"subject\":\"alice\"",
                "\"conversation\":\"conv_1\"",
                "\"response\":\"RESPONSE\"",
                "\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2099-01-01T00:00:00Z\""
            })
    void aHoldKeepsRecordsUntilItIsReleased(String kept) {
        // Given
        var alice = stored(asked(tenant, AuditParts.BRIEF_KEY, "alice"));
        var hold = staff.post(
                "/audit/v1/holds",
                "{\"tenant\":\"%s\",%s,\"case_id\":\"CASE-7\",\"reason\":\"a trial\"}"
                        .formatted(tenant, kept.replace("RESPONSE", id(alice))));
        // When
        purge.purge(Instant.now().plus(Duration.ofHours(25)));
        // Then
        assertThat(staff.read(id(alice)).status()).isEqualTo(200);
        // When
        var release = staff.post(
                "/audit/v1/requests",
                "{\"action\":\"release-hold\",\"hold\":\"%s\",\"case_id\":\"CASE-7\",\"reason\":\"closed\"}"
                        .formatted(hold.json().path("id").asText()));
        assertThat(approver.approve(release.json().path("id").asText()).status())
                .isEqualTo(200);
        purge.purge(Instant.now().plus(Duration.ofHours(25)));
        // Then
        assertThat(staff.read(id(alice)).status()).isEqualTo(410);
    }

    @Test
    void anErasureBeforeTheMinimumTakesAnOverride() {
        // Given
        var alice = stored(asked(tenant, AuditParts.KEPT_KEY, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        var asked = staff.askErasure(tenant, "alice").json().path("id").asText();
        var whole = staff.post("/audit/v1/requests", """
            {"action":"erase-tenant","tenant":"%s","case_id":"CASE-2","reason":"left"}\
            """.formatted(tenant))
                .json()
                .path("id")
                .asText();
        // When
        var refused = approver.approve(asked);
        // Then
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("retention_minimum");
        assertThat(approver.approve(whole).code()).isEqualTo("retention_minimum");
        assertThat(staff.read(id(alice)).status()).isEqualTo(200);
        assertThat(staff.erase(tenant, "bob").status()).isEqualTo(200);
        assertThat(staff.read(id(bob)).status()).isEqualTo(410);
        // When
        var overridden = approver.post(
                "/audit/v1/requests/" + asked + "/approve", "{\"reason\":\"ordered\",\"override_retention\":true}");
        // Then
        assertThat(overridden.status()).as(overridden.text()).isEqualTo(200);
        assertThat(staff.read(id(alice)).status()).isEqualTo(410);
        assertThat(AuditTables.select(
                        "select body::jsonb ->> 'override_retention' from event where request = ?"
                                + " and action = 'approve' and outcome = 'granted'",
                        asked))
                .containsExactly("true");
    }

    @Test
    void anOverrideBeatsNoHoldAndBelongsToErasuresOnly() {
        // Given
        stored(asked(tenant, AuditParts.KEPT_KEY, "alice"));
        var hold = staff.post("/audit/v1/holds", """
            {"tenant":"%s","subject":"alice","case_id":"CASE-7","reason":"a trial"}\
            """.formatted(tenant))
                .json()
                .path("id")
                .asText();
        var asked = staff.askErasure(tenant, "alice").json().path("id").asText();
        var release = staff.post("/audit/v1/requests", """
            {"action":"release-hold","hold":"%s","case_id":"CASE-7","reason":"closed"}\
            """.formatted(hold))
                .json()
                .path("id")
                .asText();
        var override = "{\"reason\":\"ordered\",\"override_retention\":true}";
        // Then
        assertThat(approver.post("/audit/v1/requests/" + asked + "/approve", override)
                        .code())
                .isEqualTo("held");
        assertThat(approver.post("/audit/v1/requests/" + release + "/approve", override)
                        .field())
                .isEqualTo("override_retention");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "delete from event where id = ?",
                "update event set body = replace(body, '\"hold\"', '\"nohold\"') where id = ?",
                "update event set personal = null, personal_salt = null where id = ?",
                "update event set log_index = -1000000 - log_index where id = ?"
            })
    void nothingGoesWhileAHoldIsDeletedOrChangedInTheDatabase(String sql) {
        // Given
        var alice = stored(asked(tenant, AuditParts.BRIEF_KEY, "alice"));
        var hold = staff.post("/audit/v1/holds", """
            {"tenant":"%s","subject":"alice","case_id":"CASE-7","reason":"a trial"}\
            """.formatted(tenant))
                .json()
                .path("id")
                .asText();
        var asked = staff.askErasure(tenant, "alice").json().path("id").asText();
        // When
        AuditTables.execute(sql, hold);
        var refused = approver.approve(asked);
        purge.purge(Instant.now().plus(Duration.ofHours(25)));
        // Then
        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("events_missing");
        assertThat(staff.read(id(alice)).status()).isEqualTo(200);
    }

    private static Asked asked(String tenant, String key, String user) {
        return new Asked(ResponseId.create(System.currentTimeMillis(), 3), tenant, key, user);
    }

    private static String id(Asked asked) {
        return asked.id().toString();
    }

    private Asked stored(Asked asked) {
        bus.append(bus.whole(asked, "a thought"));
        AuditTables.await(1, "trace_record where response = ? and log_index >= 0", id(asked));
        return asked;
    }
}
