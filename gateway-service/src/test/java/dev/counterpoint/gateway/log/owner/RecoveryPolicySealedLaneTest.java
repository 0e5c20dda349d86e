package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the owner does for the summary and for the audit.
class RecoveryPolicySealedLaneTest extends OwnedResponse {
    @Test
    void anAnswerWaitsForItsSummaryAsLongAsItMayAndNoLonger() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(RINGS.worker()), anna.thinks(0, "hm"), anna.says(1, "42"));
        // When
        for (int beat = 1; beat < CONFIG.summaryPatienceBeats(); beat++) {
            summarizerLives();
            says(anna.progress());
            pass(1);
        }
        assertThat(bus.producer.history()).isEmpty();
        pass(1);
        // Then
        assertThat(bus.kinds()).containsExactly(FrameKind.SUMMARY_ABANDONED);
    }

    @Test
    void withoutASummarizerNoAnswerWaits() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(RINGS.worker()), anna.thinks(0, "hm"), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        // When
        look();
        look();
        // Then
        assertThat(bus.kinds()).containsExactly(FrameKind.SUMMARY_ABANDONED);
    }

    @Test
    void aSummaryThatIsInTimeIsNotAbandoned() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(RINGS.worker()), anna.thinks(0, "hm"));
        says(anna.sumsUp(0, 0, "It thinks."), anna.summedUp(1, 0));
        says(anna.says(1, "42"), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        // When
        pass(100);
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void whatTheOwnerEndsInAWorkersSteadIsHandedToTheAuditServiceAsItStandsInTheLog() {
        // Given
        response = followed(accepted(ServiceRole.AUDIT));
        var fence = anna.fence(RINGS.worker(), ServiceRole.AUDIT);
        var thought = anna.thinks(0, "hm");
        says(fence, thought, anna.says(1, "42"), anna.progress());
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED));
        response.handle.settle();
        assertThat(response.done()).isFalse();
        // When
        look();
        bus.acknowledgeAll();
        // Then
        assertThat(bus.traces()).singleElement().satisfies(record -> {
            assertThat(record.response()).isEqualTo(RESPONSE);
            assertThat(record.body()).isInstanceOfSatisfying(TraceRecord.Partial.class, partial -> {
                assertThat(partial.reason()).isEqualTo(OwnerEnd.Reason.CANCELLED);
                assertThat(partial.cut()).isFalse();
                assertThat(partial.frames().stream().map(Frame::decode)).containsExactly(fence, thought);
            });
        });
        assertThat(bus.closings()).extracting(Closing::endedBy).containsExactly("CANCELLED");
        assertThat(response.done()).isTrue();
    }

    @Test
    void aTraceThatTheBusDidNotTakeIsHandedOverAgain() {
        // Given
        response = followed(accepted(ServiceRole.AUDIT));
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.NOT_QUEUED));
        response.handle.settle();
        look();
        bus.loseNext();
        assertThat(response.done()).isFalse();
        // When
        pass(DECISION_PATIENCE);
        bus.acknowledgeAll();
        // Then
        assertThat(bus.traces()).hasSize(2);
        assertThat(response.done()).isTrue();
    }

    @Test
    void theAuditServiceGetsNothingFromTheOwnerOfWhatAWorkerEndedOrNobodyOptedInto() {
        // Given
        var audited = followed(accepted(ServiceRole.AUDIT));
        for (var frame : List.of(
                anna.fence(RINGS.worker(), ServiceRole.AUDIT), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)))) {
            audited.accept(frame, 0);
        }
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED));
        // When
        rules.apply(audited, 1);
        pass(10);
        // Then
        assertThat(bus.traces()).isEmpty();
    }

    @Test
    void theAuditServiceIsToldOnceHowAnOptedInResponseEnded() throws Exception {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary(ServiceRole.AUDIT));
        says(anna.fence(RINGS.worker(), ServiceRole.AUDIT), anna.thinks(0, "hm"));
        says(anna.sumsUp(0, 0, "It thinks."), anna.summedUp(1, 0));
        says(anna.says(1, "4"), anna.says(1, "2"));
        look();
        assertThat(bus.closings()).isEmpty();
        // When
        says(anna.ends(new End(End.Finish.MAX_TOKENS, 1, 0, 1, 0, 77)));
        response.handle.settle();
        assertThat(response.done()).isFalse();
        look();
        bus.acknowledgeAll();
        pass(100);
        // Then
        var hash = MessageDigest.getInstance("SHA-256").digest("42".getBytes(StandardCharsets.UTF_8));
        assertThat(response.done()).isTrue();
        assertThat(bus.closings()).singleElement().satisfies(closing -> {
            assertThat(closing.model()).isEqualTo(WorkerVoice.MODEL);
            assertThat(closing.endedBy()).isEqualTo("MAX_TOKENS");
            assertThat(closing.endedAtMillis()).isEqualTo(77);
            assertThat(closing.answerHash()).isEqualTo(hash);
            assertThat(closing.verdict()).isEqualTo("described");
            assertThat(closing.summary()).isEqualTo("It thinks.");
            assertThat(closing.rawShown()).isFalse();
        });
    }

    @Test
    void anEndThatTheBusDidNotTakeIsToldAgain() {
        // Given
        response = followed(accepted(ServiceRole.AUDIT, ServiceRole.GATEWAY));
        says(anna.fence(RINGS.worker(), ServiceRole.AUDIT, ServiceRole.GATEWAY), anna.thinks(0, "hm"));
        says(anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        response.handle.settle();
        look();
        bus.loseNext();
        assertThat(response.done()).isFalse();
        // When
        pass(DECISION_PATIENCE);
        bus.acknowledgeAll();
        // Then
        assertThat(bus.closings()).hasSize(2).allMatch(Closing::rawShown);
        assertThat(response.done()).isTrue();
    }

    @Test
    void theEndSaysThatASummaryWasWithheldOrDidNotCome() {
        // Given
        var withheld = followed(WorkerVoice.acceptedWithSummary(ServiceRole.AUDIT));
        var end = new End(End.Finish.STOP, 1, 0, 1, 0, 0);
        for (var frame : List.of(
                anna.fence(RINGS.worker(), ServiceRole.AUDIT),
                anna.thinks(0, "hm"),
                anna.withholds(0, 0),
                anna.ends(end))) {
            withheld.accept(frame, 0);
        }
        response = followed(WorkerVoice.acceptedWithSummary(ServiceRole.AUDIT));
        var bert = new WorkerVoice(1, 0xB);
        says(bert.fence(RINGS.worker(), ServiceRole.AUDIT), bert.thinks(0, "hm"), bert.ends(end));
        says(WorkerVoice.summaryAbandoned());
        // When
        rules.apply(withheld, 1);
        look();
        // Then
        assertThat(bus.closings()).extracting(Closing::verdict).containsExactly("withheld", "abandoned");
    }

    @Test
    void nobodyIsToldOfTheEndOfAResponseThatIsNotOptedIn() {
        // When
        says(anna.fence(RINGS.worker()), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        pass(10);
        // Then
        assertThat(bus.closings()).isEmpty();
    }
}
