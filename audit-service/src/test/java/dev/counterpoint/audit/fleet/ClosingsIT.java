package dev.counterpoint.audit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.frame.OwnerEnd;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A record is evidence when a gateway attests the end of its response.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ClosingsIT {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private TestBus bus;

    @Inject
    @Wellness
    TraceCompleteness completeness;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRecordIsConfirmedWhicheverHalfComesFirst(boolean closingFirst) {
        // Given
        var asked = Asked.of(tenant, "alice");
        // When
        if (closingFirst) {
            closed(asked, "described");
            stored(asked);
        } else {
            stored(asked);
            closed(asked, "described");
        }
        // Then
        var record = staff.read(id(asked)).json().get("record");
        assertThat(record.get("evidence").asText()).isEqualTo("confirmed");
        assertThat(record.get("flags")).isEmpty();
        assertThat(record.at("/closing/ended_by").asText()).isEqualTo("STOP");
        assertThat(record.at("/closing/verdict").asText()).isEqualTo("described");
        assertThat(record.at("/closing/consent").asText()).isEqualTo("optin_1");
        assertThat(record.at("/closing/raw_shown").asBoolean(true)).isFalse();
        assertThat(record.at("/closing/summary").asText()).isEqualTo(TestBus.SUMMARY);
        assertThat(record.at("/closing/answer_hash").asText()).isEqualTo("0102");
        var found = staff.search("{\"tenant\": \"" + tenant + "\"}");
        assertThat(found.json().at("/data/0/evidence").asText()).isEqualTo("confirmed");
        assertThat(found.text()).doesNotContain(TestBus.SUMMARY, "answer_hash");
    }

    @Test
    void theFirstClosingOfAResponseCounts() {
        // Given
        var asked = Asked.of(tenant, "alice");
        stored(asked);
        closed(asked, "described");
        // When
        bus.append(bus.closing(asked, "described"));
        bus.append(bus.closing(asked, "withheld"));
        var last = Asked.of(tenant, "bob");
        bus.append(bus.closing(last, "none"), id(asked));
        AuditTables.await(1, "event where id = ? and log_index >= 0", eventId(last));
        // Then
        assertThat(AuditTables.count("event where action = 'response_closed' and response = ?", id(asked)))
                .isOne();
        assertThat(staff.read(id(asked)).json().at("/record/closing/verdict").asText())
                .isEqualTo("described");
        assertThat(staff.accessLog("tenant=" + tenant).text()).doesNotContain("response_closed");
        var closings = staff.accessLog("action=response_closed&response=" + asked.id());
        assertThat(closings.json().get("data")).hasSize(1);
        assertThat(closings.text()).doesNotContain("sealed");
    }

    @Test
    @DisplayName("forged closings: by a worker's key, moved to another tenant, of no response")
    void aForgedClosingIsADeadLetter() {
        // Given
        var asked = Asked.of(tenant, "alice");
        stored(asked);
        long dead = AuditTables.count("dead_letter");
        var good = bus.closing(asked, "none");
        // When
        bus.forge(good);
        bus.append(entry(good, "other", good.response()));
        bus.append(entry(good, tenant, "none"));
        AuditTables.await(dead + 3, "dead_letter");
        // Then
        assertThat(AuditTables.count("event where action = 'response_closed' and response = ?", id(asked)))
                .isZero();
        assertThat(staff.read(id(asked)).json().at("/record/closing").isNull()).isTrue();
    }

    /// One look for all, because the next one begins where this one ends: in the future.
    @Test
    @DisplayName("B6, B7: forged, lost, corrected and withheld traces are named and marked for review")
    void whatDoesNotFitIsMarkedForReview() {
        // Given
        var lost = Asked.of(tenant, "alice");
        var forged = Asked.of(tenant, "bob");
        var withheld = Asked.of(tenant, "alice");
        var corrected = Asked.of(tenant, "alice");
        var plain = Asked.of(tenant, "alice");
        closed(lost, "none");
        closed(forged, "none");
        stored(new Asked(forged.id(), tenant, forged.key(), "carol"));
        closed(withheld, "withheld");
        stored(withheld);
        bus.append(bus.partial(corrected, OwnerEnd.Reason.CANCELLED, false, List.of()));
        stored(corrected);
        AuditTables.await(1, "trace_record where response = ?", corrected.id() + ".partial");
        closed(corrected, "none");
        closed(plain, "described");
        stored(plain);
        // When
        completeness.look(Instant.now().plus(Duration.ofMinutes(3)));
        // Then
        assertThat(found(", \"flagged\": true")).containsExactlyInAnyOrder(id(forged), id(withheld), id(corrected));
        assertThat(found(", \"flagged\": false")).containsExactly(id(plain));
        assertThat(evidence(forged)).isEqualTo("disputed [disputed]");
        assertThat(evidence(withheld)).isEqualTo("confirmed [withheld]");
        assertThat(evidence(corrected)).isEqualTo("confirmed [corrected]");
        assertThat(evidence(plain)).isEqualTo("confirmed []");
        var hashes = AuditTables.select(
                "select encode(content_hash, 'hex') from trace_record where response like ? || '%' order by partial",
                id(corrected));
        assertThat(detail("corrected")).isEqualTo("whole=%s partial=%s".formatted(hashes.getFirst(), hashes.getLast()));
        assertThat(detail("withheld")).isEqualTo("verdict=withheld ended_by=STOP");
        assertThat(staff.accessLog("action=missing&response=" + lost.id())
                        .json()
                        .get("data"))
                .hasSize(1);
        assertThat(staff.get("/q/health/well").text()).contains(id(lost)).doesNotContain(id(forged));
        // When it comes after all
        stored(lost);
        completeness.look();
        // Then
        assertThat(staff.get("/q/health/well").text()).doesNotContain(id(lost));
        assertThat(evidence(lost)).isEqualTo("confirmed [missing]");
    }

    @Test
    void anErasureTakesTheClosingsContentToo() {
        // Given
        var before = Asked.of(tenant, "alice");
        var late = Asked.of(tenant, "alice");
        stored(before);
        closed(before, "described");
        var key = AuditTables.select("select body::jsonb ->> 'data_key_id' from event where id = ?", eventId(before));
        // When
        assertThat(staff.erase(tenant, "alice").status()).isEqualTo(200);
        closed(late, "described");
        // Then
        assertThat(AuditTables.count("data_key where id = ?", key.getFirst())).isZero();
        assertThat(AuditTables.count("event where id = ? and personal::jsonb -> 'sealed' is not null", eventId(late)))
                .isZero();
    }

    private String evidence(Asked asked) {
        var record = staff.read(id(asked)).json().get("record");
        return record.get("evidence").asText() + " " + texts(record.get("flags"));
    }

    private String detail(String action) {
        return staff.accessLog("action=" + action + "&tenant=" + tenant)
                .json()
                .at("/data/0/detail")
                .asText();
    }

    private static AccessEntry entry(AccessEntry good, String tenant, String response) {
        return new AccessEntry(
                good.id(), good.atMillis(), good.actor(), tenant, response, good.action(), good.sealed());
    }

    private void stored(Asked asked) {
        bus.append(bus.whole(asked, "a thought"));
        AuditTables.await(1, "trace_record where response = ? and log_index >= 0", id(asked));
    }

    private void closed(Asked asked, String verdict) {
        bus.append(bus.closing(asked, verdict));
        AuditTables.await(1, "event where id = ? and log_index >= 0", eventId(asked));
    }

    private static String id(Asked asked) {
        return asked.id().toString();
    }

    private static String eventId(Asked asked) {
        return "response_closed_" + asked.id();
    }

    private List<String> found(String more) {
        var data = staff.search("{\"tenant\": \"" + tenant + "\"" + more + "}")
                .json()
                .get("data");
        return data.findValuesAsText("response");
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
