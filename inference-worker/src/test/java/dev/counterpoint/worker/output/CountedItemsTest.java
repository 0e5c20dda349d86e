package dev.counterpoint.worker.output;

import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CALL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CHANNEL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CONSTRAIN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.END;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.MESSAGE;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.START;
import static dev.counterpoint.worker.output.OutputComposerTest.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The worker names the items that gateways make of an output, as `ResponseAssembler` does.
class CountedItemsTest {
    private static final int[] EXTRA = tokens(CHANNEL, "final ", CONSTRAIN, "extra", MESSAGE, "{}", END);
    private static final int[] CALLED =
            tokens(CHANNEL, "commentary to=functions.add ", CONSTRAIN, "json", MESSAGE, "{}", CALL);

    /// Messages to the user and to functions are items, and so is a run of reasoning; a message beside the answer is
    /// none.
    @Test
    void aRunOfReasoningHasThePlaceThatGatewaysGiveIt() {
        var output = messages(
                said("analysis", "One."),
                said("analysis", "Two."),
                said("commentary", "Looking."),
                said("analysis", "Three."),
                EXTRA,
                said("analysis", "Four."),
                CALLED);

        var parts = OutputComposerTest.compose(OutputComposerTest.composer("add"), output);

        assertThat(parts)
                .filteredOn(OutputPart.Reasoned.class::isInstance)
                .extracting(part -> ((OutputPart.Reasoned) part).item())
                .containsExactly(0, 2, 3);
    }

    @Test
    void aCallThatNobodyDeclaredIsAnItemOfReasoning() {
        var output = messages(CALLED, said("commentary", "Looking."), said("analysis", "One."), said("final", "Done."));

        var parts = OutputComposerTest.compose(OutputComposerTest.composer(), output);

        assertThat(parts)
                .filteredOn(OutputPart.Reasoned.class::isInstance)
                .extracting(part -> ((OutputPart.Reasoned) part).item())
                .containsExactly(2);
    }

    private static int[] said(String channel, String text) {
        return tokens(CHANNEL, channel, MESSAGE, text, END);
    }

    private static int[] messages(int[]... messages) {
        var separated = Stream.of(messages)
                .flatMapToInt(
                        message -> IntStream.concat(IntStream.of(tokens(START, "assistant")), IntStream.of(message)))
                .toArray();
        return IntStream.of(separated).skip(tokens(START, "assistant").length).toArray();
    }
}
