package dev.counterpoint.worker.output;

import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CALL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CHANNEL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CONSTRAIN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.MESSAGE;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.RETURN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.START;
import static dev.counterpoint.worker.output.OutputComposerTest.bodies;
import static dev.counterpoint.worker.output.OutputComposerTest.compose;
import static dev.counterpoint.worker.output.OutputComposerTest.composer;
import static dev.counterpoint.worker.output.OutputComposerTest.text;
import static dev.counterpoint.worker.output.OutputComposerTest.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Lane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Messages to recipients that are no tool of the answer.
class AddressedMessagesTest {
    @Test
    void takesAFinalMessageToNoToolForTheAnswer() {
        var parts = compose(composer("get_weather"), tokens(CHANNEL, "final to=user", MESSAGE, "Hello", RETURN));

        assertThat(text(parts, Lane.VISIBLE)).isEqualTo("Hello");
        assertThat(bodies(parts).getFirst().delta().header()).isEqualTo(new Delta.Header("final", null, null));
    }

    @Test
    void publishesTheCallsInsideAParallelCallAsMessagesOfTheirOwn() {
        var composer = composer("get_weather");

        var parts = bodies(compose(composer, OutputComposerTest.PARALLEL)).stream()
                .filter(body -> body.lane() == Lane.VISIBLE)
                .toList();

        assertThat(parts.stream().map(OutputPart.Body::message).distinct()).containsExactly(1, 2);
        assertThat(parts.stream().map(body -> body.delta().text())).contains("{\"city\":\"Rome\"}", "{}");
        assertThat(parts.stream().filter(body -> body.delta().closed())).hasSize(2);
        assertThat(composer.undeclaredCalls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "container.exec, container.exec",
        "functions.rm_rf, rm_rf",
        "multi_tool_use.parallel, multi_tool_use.parallel",
        // Nothing but a name is shown.
        "I→think, ''"
    })
    void namesTheCallsThatItKeepsOutOfSight(String recipient, String name) {
        var composer = composer("get_weather");

        var parts = compose(composer, tokens(CHANNEL, "commentary to=" + recipient, MESSAGE, "{}", CALL));

        assertThat(bodies(parts)).noneMatch(body -> body.lane() == Lane.VISIBLE);
        assertThat(composer.undeclaredCalls()).containsExactly(name);
        assertThat(composer.finished(End.Finish.STOP)).isEqualTo(End.Finish.CONTENT_FILTER);
        assertThat(composer.finished(End.Finish.MAX_TOKENS)).isEqualTo(End.Finish.MAX_TOKENS);
        compose(composer, tokens(START, "assistant", CHANNEL, "final", MESSAGE, "Hello", RETURN));
        assertThat(composer.finished(End.Finish.STOP)).isEqualTo(End.Finish.STOP);
    }

    @Test
    void leavesTheArgumentsOfACallEmptyThatALimitCutOff() {
        var composer = composer("get_weather");
        for (int token : tokens(CHANNEL, "commentary to=get_weather ", CONSTRAIN, "json", MESSAGE)) {
            composer.accept(token, null);
        }

        assertThat(text(composer.cutOff(), Lane.VISIBLE)).isEmpty();
    }
}
