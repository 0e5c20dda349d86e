package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.audit.log.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordEvidenceTest {
    private static final Instant DUE = Instant.parse("2026-12-01T00:00:00Z");

    @Test
    void aRecordOfBeforeClosingsNeedsNone() {
        assertThat(state(DUE.minusSeconds(1), null, DUE.plusSeconds(9))).isEqualTo("older");
        assertThat(RecordEvidence.state(row(DUE), null, null, DUE.plusSeconds(9)))
                .isEqualTo("older");
    }

    @Test
    void aLaterOneWaitsAndIsThenUnconfirmed() {
        assertThat(state(DUE, null, DUE.minusMillis(1))).isEqualTo("pending");
        assertThat(state(DUE, null, DUE)).isEqualTo("unconfirmed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tenant", "actor", "model", "consent", "subject_token"})
    void aClosingThatSaysSomethingElseDisputesTheRecord(String member) {
        assertThat(state(DUE, closing("none"), DUE)).isEqualTo("confirmed");
        assertThat(state(DUE, closing(member), DUE)).isEqualTo("disputed");
    }

    private static String state(Instant stored, Event.@Nullable Verified closing, Instant gone) {
        return RecordEvidence.state(row(stored), closing, DUE, gone);
    }

    private static RecordRow row(Instant stored) {
        var row = new RecordRow();
        row.tenant = "tenant";
        row.key = "actor";
        row.model = "model";
        row.optIn = "consent";
        row.subjectToken = new byte[] {1};
        row.storedAt = stored;
        return row;
    }

    private static Event.Verified closing(String changed) {
        var body = JsonNodeFactory.instance.objectNode();
        for (var member : new String[] {"tenant", "actor", "model", "consent"}) {
            body.put(member, member);
        }
        var personal = JsonNodeFactory.instance.objectNode().put("subject_token", "01");
        (personal.has(changed) ? personal : body).put(changed, "other");
        return new Event.Verified(1, "id", body, personal);
    }
}
