package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.testkit.EngineContractTest;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIf;

/// A real model with a vocabulary of its own keeps the contract of engines.
@EnabledIf(value = SmolModel.IS_THERE, disabledReason = SmolModel.ABSENT)
class SmolContractTest extends EngineContractTest {
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
}
