package dev.counterpoint.worker.attempt;

import static dev.counterpoint.worker.attempt.AttemptLog.accepted;
import static dev.counterpoint.worker.attempt.AttemptLog.reissue;
import static dev.counterpoint.worker.attempt.AttemptLog.ticket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ResumeStateTest {
    private static final long ANNA = 0xA;
    private static final long BERT = 0xB;

    private static final KeyRing KEYS = TestKeys.of(ServiceRole.WORKER);

    private final AttemptLog log = new AttemptLog(KEYS, true);
    private final AttemptKeys annasKeys = AttemptKeys.create();
    private final AttemptKeys bertsKeys = AttemptKeys.create();
    private final FramePublisher anna = log.publisher(1, ANNA, annasKeys);

    @Test
    void whoFencesANewResponseWinsItAndBeginsFromNothing() {
        // When
        var prefix = read(1, accepted(), annasFence());
        // Then
        assertThat(prefix.wonBy(ANNA)).isTrue();
        assertThat(prefix.said()).isEmpty();
    }

    @Test
    void theNextAttemptGoesOnFromWhatBothLanesSaid() {
        // Given
        anna.delta(0, Lane.REASONING, delta(1, 2));
        anna.progress();
        anna.sealedReasoning("blob");
        anna.delta(1, Lane.VISIBLE, delta(3));
        // When
        var prefix = read(2, log(accepted(), annasFence()), log.frames(), log(reissue(2), bertsFence()));
        // Then
        assertThat(prefix.wonBy(BERT)).isTrue();
        assertThat(prefix.said())
                .satisfiesExactly(
                        said -> assertTokens(said, 1, 2),
                        said -> assertThat(said).isInstanceOf(ResumeState.Said.Sealed.class),
                        said -> assertTokens(said, 3));
        assertThat(tokens(prefix)).containsExactly(1, 2, 3);
    }

    @Test
    void whatSeveralAttemptsSaidIsOneOutput() {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        var annas = log.frames();
        log.producer.clear();
        log.publisher(2, BERT, bertsKeys).delta(0, Lane.VISIBLE, delta(2));
        var third = log.fence(3, 0xC, AttemptKeys.create());
        // When
        var prefix = read(
                3,
                log(accepted(), annasFence()),
                annas,
                log(reissue(2), bertsFence()),
                log.frames(),
                log(reissue(3), third));
        // Then
        assertThat(prefix.wonBy(0xC)).isTrue();
        assertThat(tokens(prefix)).containsExactly(1, 2);
    }

    @Test
    void whatAnOldHolderSaidBetweenReissueAndFenceCounts() {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        // When
        var prefix = read(2, log(accepted(), annasFence(), reissue(2)), log.frames(), log(bertsFence()));
        // Then
        assertThat(tokens(prefix)).containsExactly(1);
    }

    @Test
    void whatAnOldHolderSaidAfterTheFenceIsVoid() {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        // When
        var prefix = read(2, log(accepted(), annasFence(), reissue(2), bertsFence()), log.frames());
        // Then
        assertThat(prefix.said()).isEmpty();
    }

    @Test
    void afterAGapNothingCounts() {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        anna.delta(0, Lane.VISIBLE, delta(2));
        anna.delta(0, Lane.VISIBLE, delta(3));
        var frames = log.frames();
        // When
        var prefix = read(
                2,
                log(accepted(), annasFence(), frames.get(0), frames.get(2), frames.get(1)),
                log(reissue(2), bertsFence()));
        // Then
        assertThat(tokens(prefix)).containsExactly(1);
    }

    @Test
    void whoComesSecondLoses() {
        var prefix = read(1, accepted(), annasFence(), log.fence(1, BERT, bertsKeys));

        assertThat(prefix.wonBy(ANNA)).isTrue();
        assertThat(prefix.wonBy(BERT)).isFalse();
    }

    @Test
    void aTicketOfAnAttemptThatWasReissuedIsNotWorthRunning() {
        assertThat(read(1, accepted(), reissue(2), annasFence()).wonBy(ANNA)).isFalse();
        assertThat(read(1, accepted(), annasFence(), reissue(2)).wonBy(ANNA)).isFalse();
    }

    @Test
    void whatHasEndedIsNotWorthRunning() {
        // Given
        var end = new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode();
        var cancelled = TestKeys.signed(Frame.decision(AttemptLog.RESPONSE, 1, FrameKind.OWNER_END, end));
        // Then
        assertThat(read(1, accepted(), cancelled, annasFence()).wonBy(ANNA)).isFalse();
        assertThat(read(1, accepted(), annasFence(), cancelled).wonBy(ANNA)).isFalse();
    }

    @Test
    void whatAnEarlierAttemptFinishedIsNotWorthRunning() throws InterruptedException {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        anna.end(new End(End.Finish.STOP, 1, 0, 1, 0, 0), AttemptSpans.NONE);
        // When
        var prefix = read(2, log(accepted(), annasFence()), log.frames(), log(reissue(2), bertsFence()));
        // Then
        assertThat(prefix.wonBy(BERT)).isFalse();
    }

    @Test
    void aFrameThatCountsAndDoesNotOpenIsRefused() {
        // Given
        anna.delta(0, Lane.VISIBLE, delta(1));
        var altered = annasKeys.tagged(log.frames().getFirst().withBody(new byte[40]));
        // Then
        assertThatThrownBy(() -> read(2, accepted(), annasFence(), altered)).isInstanceOf(SealException.class);
    }

    @Test
    void aFrameThatIsVoidNeedNotOpen() {
        // Given
        log.publisher(1, BERT, bertsKeys).delta(0, Lane.VISIBLE, delta(1));
        // When
        var prefix = read(1, log(accepted(), annasFence()), log.frames());
        // Then
        assertThat(prefix.said()).isEmpty();
    }

    private Frame annasFence() {
        return log.fence(1, ANNA, annasKeys);
    }

    private Frame bertsFence() {
        return log.fence(2, BERT, bertsKeys);
    }

    private static Delta delta(int... tokens) {
        return new Delta(null, tokens, "", false, List.of());
    }

    private static List<Frame> log(Frame... frames) {
        return List.of(frames);
    }

    private static ResumeState read(int attempt, Frame... frames) {
        return read(attempt, log(frames));
    }

    @SafeVarargs
    private static ResumeState read(int attempt, List<Frame>... stretches) {
        var trust = Objects.requireNonNull(LogTrust.of(stretches[0].getFirst(), KEYS));
        var prefix = new ResumeState(ticket(attempt), trust);
        for (var stretch : stretches) {
            stretch.forEach(prefix::accept);
        }
        return prefix;
    }

    private static void assertTokens(ResumeState.Said said, int... tokens) {
        assertThat(said)
                .isInstanceOfSatisfying(
                        ResumeState.Said.Tokens.class,
                        spoken -> assertThat(spoken.ids()).containsExactly(tokens));
    }

    private static int[] tokens(ResumeState state) {
        return state.said().stream()
                .filter(ResumeState.Said.Tokens.class::isInstance)
                .flatMapToInt(said -> Arrays.stream(((ResumeState.Said.Tokens) said).ids()))
                .toArray();
    }
}
