package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.llama.tiny.TinyModel;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.condition.EnabledIf;

/// The contract on the model that comes with the worker, whatever it has learned: its answers are short, so here only a
/// token that it never says ends them.
@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class TinyModelContractTest extends EngineContractTest {
    @Override
    protected Engine create() {
        var source = TestLibrary.source();
        var options = new LlamaOptions(
                TinyModel.NAME, TinyModel.in(source.cache()), LlamaOptions.Capacity.of(SLOTS, 640, 4096), 1);
        return LlamaEngine.open(source, options);
    }

    @Override
    protected int[] prompt() {
        var question = HarmonyTokenizer.shared().encode("user<|message|>What is 12 + 30?");
        return IntStream.concat(IntStream.of(SpecialTokens.START), IntStream.of(question))
                .toArray();
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.END_OF_TEXT);
    }
}
