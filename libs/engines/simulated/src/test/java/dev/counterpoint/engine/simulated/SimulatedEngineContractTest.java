package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.testkit.EngineContractTest;
import java.util.Set;

class SimulatedEngineContractTest extends EngineContractTest {
    @Override
    protected Engine create() {
        return new SimulatedEngine(
                SimulatedOptions.immediate("gpt-oss-20b").withSlots(SLOTS).withContextLength(4096));
    }

    @Override
    protected int[] prompt() {
        return Talk.user("Why is the sky blue?").prompt();
    }

    @Override
    protected int[] unlikely() {
        return Talk.encode(" zebra crossing ahead of purple rain\n\nnow");
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Talk.STOPS;
    }
}
