package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each mistake that a suite can make towards a caller is found.
class ClientCheckTest {
    private static final String GRAMMAR = "streams keep the grammar";

    private static List<String> rules(HeardAnswer heard, Told told) {
        return ClientCheck.check(heard, told).stream().map(Violation::rule).toList();
    }

    private static HeardAnswer spoilt(int index, String... instead) {
        var events = new ArrayList<>(MadeUp.events());
        events.remove(index);
        events.addAll(index, List.of(instead));
        return MadeUp.heard(events);
    }

    @Test
    void findsNothingInAGoodStream() {
        assertThat(rules(MadeUp.heard(MadeUp.events()), MadeUp.told())).isEmpty();
    }

    @Test
    void findsNothingInAStreamThatBroke() {
        var broken = new HeardAnswer(
                MadeUp.ask(Api.RESPONSES, Manner.STREAM, Question.SUM),
                Outcome.BROKEN,
                200,
                MadeUp.events().subList(0, MadeUp.LAST_DELTA),
                "");

        assertThat(rules(broken, MadeUp.withStatus(MadeUp.told(), Told.Status.CANCELLED)))
                .isEmpty();
    }

    @Test
    void findsAnEventThatIsMissing() {
        assertThat(rules(spoilt(MadeUp.LAST_DELTA), MadeUp.told())).contains("callers see what the log says", GRAMMAR);
    }

    @Test
    void findsAnEventThatCameTwice() {
        var event = MadeUp.events().get(MadeUp.LAST_DELTA);

        assertThat(rules(spoilt(MadeUp.LAST_DELTA, event, event), MadeUp.told()))
                .contains("callers see what the log says", GRAMMAR);
    }

    @Test
    void findsAReplayThatNumbersAnew() {
        var wrong = MadeUp.delta(0, "is 42.");

        assertThat(rules(spoilt(MadeUp.LAST_DELTA, wrong), MadeUp.told())).containsExactly(GRAMMAR);
    }

    @Test
    void findsASecondEnding() {
        var end = MadeUp.events().get(MadeUp.ENDING);
        var second = MadeUp.event(MadeUp.ENDING + 1, "response.failed", MadeUp.response("failed", ""));

        assertThat(rules(spoilt(MadeUp.ENDING, end, second), MadeUp.told())).contains("one ending", GRAMMAR);
    }

    @Test
    void findsAnEndingThatIsNotTheLogs() {
        assertThat(rules(MadeUp.heard(MadeUp.events()), MadeUp.withStatus(MadeUp.told(), Told.Status.CANCELLED)))
                .containsExactly("the ending is the log's");
    }

    @Test
    void findsARefusedRequestThatRan() {
        var refused = new HeardAnswer(
                MadeUp.ask(Api.RESPONSES, Manner.WHOLE, Question.SUM), Outcome.REFUSED, 503, List.of(), "{}");

        assertThat(rules(refused, MadeUp.told())).containsExactly("what is refused does not run to its end");
    }

    @Test
    void findsAChatWithoutItsEnding() {
        var chunk = "{\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}".formatted(MadeUp.TEXT);
        var heard = new HeardAnswer(
                MadeUp.ask(Api.CHAT, Manner.STREAM, Question.SUM),
                Outcome.WHOLE,
                200,
                List.of(chunk, HeardAnswer.DONE),
                "");

        assertThat(rules(heard, MadeUp.told())).containsExactlyInAnyOrder("one ending", GRAMMAR);
    }

    @Test
    void findsWhatWasForgottenOrCameBack() {
        var ask = MadeUp.ask(Api.RESPONSES, Manner.BACKGROUND, Question.SUM);

        assertThat(rules(new HeardAnswer(ask, Outcome.VANISHED, 200, List.of(), "{}"), MadeUp.told()))
                .containsExactly("what was accepted stays");
        assertThat(rules(new HeardAnswer(ask, Outcome.REVIVED, 200, List.of(), "{}"), MadeUp.told()))
                .containsExactly("what was deleted stays deleted");
    }
}
