package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.testkit.EngineContractTest;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/// A real model with a vocabulary of its own keeps the contract of engines.
@Tag("nightly")
@EnabledIf(value = SmolModel.IS_THERE, disabledReason = SmolModel.ABSENT)
class SmolContractTest extends EngineContractTest {
    /// " the cat sat on the mat and".
    private static final int[] VERSE = {260, 2644, 2643, 335, 260, 1171, 284};
    private static final int END_OF_TEXT = 0;
    private static final int END_OF_MESSAGE = 2;

    @Override
    protected Engine create() {
        return SmolModel.open(SLOTS);
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(END_OF_TEXT, END_OF_MESSAGE);
    }

    @Override
    protected int[] unlikely() {
        return new int[] {17, 4242, 10_000, 49_000};
    }

    /// Repeated, so that the model is nearly sure of each next token: where it is not, two tokens may change places
    /// with
    /// the size of a batch, see [LlamaEngine].
    @Override
    protected int[] prompt() {
        return IntStream.range(0, 200).map(at -> VERSE[at % VERSE.length]).toArray();
    }

    @Override
    protected Sampling sampling() {
        return Sampling.GREEDY;
    }
}
