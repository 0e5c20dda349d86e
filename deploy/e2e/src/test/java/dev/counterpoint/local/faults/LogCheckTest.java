package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Each mistake that a suite can make in its log is found.
class LogCheckTest {
    private static final int WORDS = Question.RECITAL.words();

    private static List<String> rules(List<Violation> violations) {
        return violations.stream().map(Violation::rule).toList();
    }

    /// What two attempts recite, the second from `handOver` on.
    private static List<Told.Segment> recital(int handOver) {
        var recital = new ExpectedRecital(Question.RECITAL.text());
        var first = new int[handOver];
        var second = new int[WORDS - handOver];
        Arrays.setAll(first, _ -> recital.next(MadeUp.ID.toString(), 7));
        Arrays.setAll(second, _ -> recital.next(MadeUp.ID.toString(), 8));
        return List.of(new Told.Segment(1, 7, first), new Told.Segment(2, 8, second));
    }

    private static List<Violation> checkRecital(List<Told.Segment> segments) {
        return LogCheck.checkRecital(MadeUp.told(segments, ""), Question.RECITAL);
    }

    private static int[] without(int[] tokens, int index) {
        return IntStream.range(0, tokens.length)
                .filter(at -> at != index)
                .map(at -> tokens[at])
                .toArray();
    }

    @Test
    void findsNothingInAGoodLog() {
        assertThat(LogCheck.check(MadeUp.told())).isEmpty();
        assertThat(checkRecital(recital(33))).isEmpty();
    }

    @Test
    void findsAResponseThatNeverEnded() {
        assertThat(rules(LogCheck.check(MadeUp.withStatus(MadeUp.told(), null))))
                .contains("one ending");
    }

    @Test
    void findsAWordThatWasLostBetweenTwoAttempts() {
        var good = recital(33);
        var lost = new Told.Segment(2, 8, without(good.get(1).tokens(), 0));

        assertThat(rules(checkRecital(List.of(good.get(0), lost))))
                .contains("each word is what its attempt would say", "the answer is whole");
    }

    @Test
    void findsAWordThatWasSaidTwice() {
        var good = recital(33);
        var last = good.get(0).tokens()[32];
        var twice = new Told.Segment(
                2,
                8,
                IntStream.concat(IntStream.of(last), IntStream.of(good.get(1).tokens()))
                        .toArray());

        assertThat(rules(checkRecital(List.of(good.get(0), twice))))
                .contains("each word is what its attempt would say");
    }

    @Test
    void findsWhatAnAttemptSaidThatNoLongerHadTheFloor() {
        var good = recital(33);
        var later = recital(40);
        // What only the reader of a broken fence check would take for the first attempt's.
        var mixed = new ArrayList<Told.Segment>(List.of(later.get(0)));
        mixed.add(good.get(1));

        assertThat(rules(checkRecital(mixed))).contains("each word is what its attempt would say");
    }

    @Test
    void findsACountThatIncludesWhatDidNotCount() {
        var good = MadeUp.told();
        var end = new End(End.Finish.STOP, 1, 0, good.tokens().length + 3, 0, 1);
        var bad = new Told(
                good.id(), good.accepted(), 1, good.segments(), good.messages(), List.of(), good.status(), end);

        assertThat(rules(LogCheck.check(bad))).containsExactly("tokens are counted once");
    }

    @Test
    void findsTextThatTheTokensDoNotSay() {
        var bad = MadeUp.told(MadeUp.told().segments(), "The answer is 43.");

        assertThat(rules(LogCheck.check(bad))).containsExactly("text is what the tokens say");
    }

    @Test
    void findsAnAnswerThatIsNotTheUsualOne() {
        var good = MadeUp.told();
        var other = MadeUp.told(
                List.of(
                        new Told.Segment(1, 7, MadeUp.answer(MadeUp.tokens("The answer "))),
                        new Told.Segment(2, 8, MadeUp.tokens("is 42."))),
                MadeUp.TEXT);

        assertThat(rules(LogCheck.checkSameTokens(
                        List.of(good, other), Map.of(1, MadeUp.ask(Api.RESPONSES, Manner.WHOLE, Question.SUM)))))
                .containsExactly("equal questions have equal tokens");
    }

    @Test
    void comparesNoAnswerWhoseReasoningMayBeLost() {
        var on = MadeUp.ask(Api.RESPONSES, Manner.WHOLE, Question.FORECAST);
        var sum = MadeUp.ask(Api.RESPONSES, Manner.WHOLE, Question.SUM);
        var warned = "{\"warnings\":[\"reasoning_lost: the tool turn\"]}";

        assertThat(heard(on, HeardAnswer.Outcome.WHOLE, "{}").mayLackReasoning())
                .isFalse();
        assertThat(heard(on, HeardAnswer.Outcome.WHOLE, warned).mayLackReasoning())
                .isTrue();
        assertThat(heard(on, HeardAnswer.Outcome.BROKEN, "").mayLackReasoning()).isTrue();
        assertThat(heard(sum, HeardAnswer.Outcome.BROKEN, "").mayLackReasoning())
                .isFalse();
    }

    private static HeardAnswer heard(AskedQuestion ask, HeardAnswer.Outcome outcome, String answer) {
        return new HeardAnswer(ask, outcome, 200, List.of(), answer);
    }
}
