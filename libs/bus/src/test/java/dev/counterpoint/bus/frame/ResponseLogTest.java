package dev.counterpoint.bus.frame;

import static dev.counterpoint.bus.frame.ResponseLog.Verdict.VALID;
import static dev.counterpoint.bus.frame.ResponseLog.Verdict.VOID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One test for each rule of a log.
class ResponseLogTest {
    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final long ANNA = 0xA;
    private static final long BERT = 0xB;

    @Test
    void aLogOpensWithAttemptOneAndNobodyHoldsIt() {
        var log = logOf(accepted());

        assertThat(log.attempt()).isOne();
        assertThat(log.fenced()).isFalse();
        assertThat(log.holder()).isNull();
        assertThat(log.isHeldBy(0)).isFalse();
        assertThat(log.ended()).isFalse();
    }

    @Test
    void onlyTheFirstAcceptedCounts() {
        assertThat(new ResponseLog(_ -> true).accept(accepted())).isEqualTo(VALID);
        assertThat(logOf(accepted()).accept(accepted())).isEqualTo(VOID);
        assertThat(logOf(accepted(), fence(1, ANNA)).accept(accepted())).isEqualTo(VOID);
        assertThat(logOf(accepted(), reissue(2)).accept(accepted())).isEqualTo(VOID);
    }

    @Test
    void theFirstFenceOfTheAttemptWinsAndTheSecondIsVoid() {
        // Given
        var log = logOf(accepted(), fence(1, ANNA));
        // When
        var second = log.accept(fence(1, BERT));
        // Then
        assertThat(second).isEqualTo(VOID);
        assertThat(log.isHeldBy(ANNA)).isTrue();
        assertThat(log.isHeldBy(BERT)).isFalse();
    }

    @Test
    void aFenceOfAnotherAttemptIsVoid() {
        assertThat(logOf(accepted()).accept(fence(2, ANNA))).isEqualTo(VOID);
        assertThat(logOf(accepted(), reissue(2)).accept(fence(1, ANNA))).isEqualTo(VOID);
    }

    @Test
    void aReissueOpensTheNextAttemptAndNoOther() {
        assertThat(logOf(accepted()).accept(reissue(2))).isEqualTo(VALID);
        assertThat(logOf(accepted()).accept(reissue(1))).isEqualTo(VOID);
        assertThat(logOf(accepted()).accept(reissue(3))).isEqualTo(VOID);
        assertThat(logOf(accepted(), reissue(2)).accept(reissue(2))).isEqualTo(VOID);
    }

    @Test
    void theOldHolderGoesOnSpeakingUntilTheNextAttemptIsFenced() {
        // Given
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0), reissue(2));
        // When
        var before = log.accept(delta(ANNA, 1));
        log.accept(fence(2, BERT));
        var after = log.accept(delta(ANNA, 2));
        // Then
        assertThat(before).isEqualTo(VALID);
        assertThat(after).isEqualTo(VOID);
    }

    @Test
    void theOldHolderMayEvenEndTheResponseWhileNobodyTookOver() {
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0), reissue(2));

        assertThat(log.accept(end(ANNA, 1))).isEqualTo(VALID);
        assertThat(log.accept(fence(2, BERT))).isEqualTo(VOID);
    }

    @ParameterizedTest
    @EnumSource(names = {"DELTA", "SEALED_REASONING", "PROGRESS", "HANDOVER", "END"})
    void whatSomebodyElseThanTheHolderSaysIsVoid(FrameKind kind) {
        assertThat(logOf(accepted()).accept(frame(kind, 1, ANNA, 0))).isEqualTo(VOID);
        assertThat(logOf(accepted(), fence(1, ANNA)).accept(frame(kind, 1, BERT, 0)))
                .isEqualTo(VOID);
    }

    @Test
    void countedFramesFollowOneAnother() {
        var log = logOf(accepted(), fence(1, ANNA));

        assertThat(log.accept(delta(ANNA, 0))).isEqualTo(VALID);
        assertThat(log.accept(frame(FrameKind.SEALED_REASONING, 1, ANNA, 1))).isEqualTo(VALID);
        assertThat(log.accept(delta(ANNA, 2))).isEqualTo(VALID);
    }

    @Test
    void aCopyOfAFrameThatSomebodyAppendsIsVoidAndMakesNoGap() {
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0), delta(ANNA, 1));

        assertThat(log.accept(delta(ANNA, 0))).isEqualTo(VOID);
        assertThat(log.broken()).isFalse();
        assertThat(log.accept(delta(ANNA, 2))).isEqualTo(VALID);
    }

    @Test
    void afterAGapNothingOfTheAttemptCountsNotEvenTheFrameThatWasMissing() {
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0));

        assertThat(log.accept(delta(ANNA, 2))).isEqualTo(VOID);
        assertThat(log.accept(delta(ANNA, 1))).isEqualTo(VOID);
        assertThat(log.accept(frame(FrameKind.PROGRESS, 1, ANNA, 0))).isEqualTo(VOID);
        assertThat(log.accept(end(ANNA, 1))).isEqualTo(VOID);
        assertThat(log.broken()).isTrue();
    }

    @Test
    void aBrokenAttemptMayStillSayThatItGivesUp() {
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 1));

        assertThat(log.accept(frame(FrameKind.HANDOVER, 1, ANNA, 0))).isEqualTo(VALID);
    }

    @Test
    void whoseAttemptWasReissuedHasNothingLeftToGiveUp() {
        var log = logOf(accepted(), fence(1, ANNA), reissue(2));

        assertThat(log.accept(frame(FrameKind.HANDOVER, 1, ANNA, 0))).isEqualTo(VOID);
    }

    @Test
    void anAttemptThatWasReissuedIsNoLongerCalledBroken() {
        // Given
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 1));
        // When
        log.accept(reissue(2));
        // Then
        assertThat(log.broken()).isFalse();
        assertThat(log.accept(delta(ANNA, 0))).as("what the old holder says").isEqualTo(VOID);
    }

    @Test
    void aNewAttemptCountsFromZero() {
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0), delta(ANNA, 5), reissue(2), fence(2, BERT));

        assertThat(log.broken()).isFalse();
        assertThat(log.accept(delta(BERT, 0))).isEqualTo(VALID);
    }

    @Test
    void signsOfLifeDoNotCount() {
        var log = logOf(accepted(), fence(1, ANNA));

        assertThat(log.accept(Frame.sign(RESPONSE, 1, ANNA, FrameKind.PROGRESS)))
                .isEqualTo(VALID);
        assertThat(log.accept(Frame.sign(RESPONSE, 1, ANNA, FrameKind.HANDOVER)))
                .isEqualTo(VALID);
        assertThat(log.accept(delta(ANNA, 0))).isEqualTo(VALID);
    }

    @Test
    void anEndCountsOnlyWithTheCountOfWhatCameBefore() {
        assertThat(logOf(accepted(), fence(1, ANNA), delta(ANNA, 0)).accept(end(ANNA, 0)))
                .isEqualTo(VOID);
        assertThat(logOf(accepted(), fence(1, ANNA), delta(ANNA, 0)).accept(end(ANNA, 2)))
                .isEqualTo(VOID);
        assertThat(logOf(accepted(), fence(1, ANNA), delta(ANNA, 0)).accept(end(ANNA, 1)))
                .isEqualTo(VALID);
    }

    @Test
    void theOwnerMayEndAResponseAtAnyTime() {
        assertThat(logOf(accepted()).accept(ownerEnd())).isEqualTo(VALID);
        assertThat(logOf(accepted(), fence(1, ANNA), delta(ANNA, 0)).accept(ownerEnd()))
                .isEqualTo(VALID);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUMMARY_ABANDONED")
    void nothingButTheSummaryCountsAfterTheEnd(FrameKind kind) {
        // Given
        var log = logOf(accepted(), fence(1, ANNA), delta(ANNA, 0), end(ANNA, 1));
        // When
        var verdict = log.accept(frame(kind, kind == FrameKind.REISSUE ? 2 : 1, ANNA, 1));
        // Then
        assertThat(verdict).isEqualTo(VOID);
        assertThat(log.ended()).isTrue();
        assertThat(log.isHeldBy(ANNA)).isFalse();
        assertThat(log.attempt()).isOne();
    }

    @Test
    void aSteerCountsOnceFromTheAcceptanceToTheEndInWhicheverAttempt() {
        // Given
        var log = logOf();
        var steer = frame(FrameKind.STEER, 1, 7, 0);
        // Then
        assertThat(log.accept(steer)).isEqualTo(VOID);
        log.accept(accepted());
        assertThat(log.accept(steer)).isEqualTo(VALID);
        log.accept(fence(1, ANNA));
        log.accept(reissue(2));
        assertThat(log.accept(steer)).isEqualTo(VOID);
        assertThat(log.accept(frame(FrameKind.STEER, 1, 8, 0))).isEqualTo(VALID);
        log.accept(end(ANNA, 0));
        assertThat(log.accept(frame(FrameKind.STEER, 1, 9, 0))).isEqualTo(VOID);
    }

    @Test
    void aCancelAndACompletionAreDecidedByTheirOrder() {
        var running = new Frame[] {accepted(), fence(1, ANNA), delta(ANNA, 0)};

        var cancelledFirst = logOf(running);
        assertThat(cancelledFirst.accept(ownerEnd())).isEqualTo(VALID);
        assertThat(cancelledFirst.accept(end(ANNA, 1))).isEqualTo(VOID);

        var completedFirst = logOf(running);
        assertThat(completedFirst.accept(end(ANNA, 1))).isEqualTo(VALID);
        assertThat(completedFirst.accept(ownerEnd())).isEqualTo(VOID);
    }

    @Test
    void aKindOfANewerVersionChangesNothing() {
        var log = logOf(accepted(), fence(1, ANNA));

        assertThat(log.accept(frame(FrameKind.UNKNOWN, 1, ANNA, 0))).isEqualTo(VOID);
        assertThat(log.accept(delta(ANNA, 0))).isEqualTo(VALID);
    }

    @Test
    void ofTwoSummarizersTheFirstAtEachPlaceWins() {
        var log = logOf(accepted(), fence(1, ANNA));

        assertThat(log.accept(summary(ANNA, 0))).isEqualTo(VALID);
        assertThat(log.accept(summary(ANNA, 0))).isEqualTo(VOID);
        assertThat(log.accept(summary(ANNA, 2))).isEqualTo(VOID);
        assertThat(log.accept(frame(FrameKind.SUMMARY_END, 1, ANNA, 1))).isEqualTo(VALID);
        assertThat(log.accept(summary(ANNA, 2, 1))).isEqualTo(VALID);
        assertThat(log.nextSummary()).isEqualTo(3);
    }

    @Test
    void aSentenceAboutWhatIsSummedUpAlreadyIsVoid() {
        // Given a summarizer that gave up while another's sentences were on their way
        var log = logOf(accepted(), fence(1, ANNA), frame(FrameKind.SUMMARY_END, 1, ANNA, 0));

        assertThat(log.accept(summary(ANNA, 1))).isEqualTo(VOID);
        assertThat(log.accept(summary(ANNA, 1, 1))).isEqualTo(VALID);
    }

    @Test
    void aSummaryCountsUnderTheKeyOfEveryWorkerThatHeldTheResponseAndOfNobodyElse() {
        var log = logOf(accepted(), fence(1, ANNA), reissue(2), fence(2, BERT));

        assertThat(log.accept(summary(ANNA, 0))).isEqualTo(VALID);
        assertThat(log.accept(summary(BERT, 1))).isEqualTo(VALID);
        assertThat(log.accept(summary(77, 2))).isEqualTo(VOID);
    }

    @Test
    void theRestOfTheSummaryCountsAfterTheEndUntilItIsAbandoned() {
        var log = logOf(accepted(), fence(1, ANNA), end(ANNA, 0));

        assertThat(log.accept(summary(ANNA, 0))).isEqualTo(VALID);
        assertThat(log.accept(frame(FrameKind.SUMMARY_ABANDONED, 1, 0, 0))).isEqualTo(VALID);
        assertThat(log.accept(frame(FrameKind.SUMMARY_ABANDONED, 1, 0, 0))).isEqualTo(VOID);
        assertThat(log.accept(summary(ANNA, 1))).isEqualTo(VOID);
    }

    @Test
    void noSummaryCountsAfterTheOwnerEndedTheResponse() {
        var log = logOf(accepted(), fence(1, ANNA), ownerEnd());

        assertThat(log.accept(summary(ANNA, 0))).isEqualTo(VOID);
        assertThat(log.accept(frame(FrameKind.SUMMARY_ABANDONED, 1, 0, 0))).isEqualTo(VOID);
    }

    private static Frame summary(long nonce, int place) {
        return summary(nonce, place, 0);
    }

    private static Frame summary(long nonce, int place, int message) {
        return new Frame(
                RESPONSE, 1, nonce, place, Lane.SUMMARY, FrameKind.SUMMARY, message, new byte[0], UnknownFields.NONE);
    }

    private static ResponseLog logOf(Frame... frames) {
        var log = new ResponseLog(_ -> true);
        Stream.of(frames).forEach(log::accept);
        return log;
    }

    private static Frame accepted() {
        return frame(FrameKind.ACCEPTED, 1, 0, 0);
    }

    private static Frame reissue(int attempt) {
        return frame(FrameKind.REISSUE, attempt, 0, 0);
    }

    private static Frame fence(int attempt, long nonce) {
        return frame(FrameKind.FENCE, attempt, nonce, 0);
    }

    private static Frame delta(long nonce, int seq) {
        return frame(FrameKind.DELTA, 1, nonce, seq);
    }

    private static Frame end(long nonce, int count) {
        return frame(FrameKind.END, 1, nonce, count);
    }

    private static Frame ownerEnd() {
        return frame(FrameKind.OWNER_END, 1, 0, 0);
    }

    private static Frame frame(FrameKind kind, int attempt, long nonce, int seq) {
        return new Frame(RESPONSE, attempt, nonce, seq, Lane.CONTROL, kind, 0, new byte[0], UnknownFields.NONE);
    }
}
