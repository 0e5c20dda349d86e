package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class LlamaEngineContractTest extends EngineContractTest {
    @Override
    protected Engine create() {
        var options = new LlamaOptions("made-up", GgufTestModel.file(), LlamaOptions.Capacity.of(SLOTS, 640, 4096), 1);
        return LlamaEngine.open(TestLibrary.source(), options);
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }
}
