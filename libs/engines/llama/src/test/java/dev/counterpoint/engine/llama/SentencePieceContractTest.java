package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.testkit.EngineContractTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// A model of another architecture keeps the contract, with a vocabulary whose size nothing divides.
@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class SentencePieceContractTest extends EngineContractTest {
    @TempDir
    Path folder;

    @Override
    protected Engine create() {
        try {
            var file = SmallTestModel.sentencePiece(folder.resolve("model.gguf"), 256);
            return LlamaEngine.open(
                    TestLibrary.source(),
                    new LlamaOptions("made-up", file, LlamaOptions.Capacity.of(SLOTS, 640, 4096), 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected int[] prompt() {
        return IntStream.range(10, 210).toArray();
    }

    @Override
    protected int[] unlikely() {
        return new int[] {17, 142, 200, 290};
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of();
    }
}
