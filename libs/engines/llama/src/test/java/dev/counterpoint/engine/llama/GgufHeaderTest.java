package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.llama.gguf.GgufWriter;
import dev.counterpoint.engine.llama.gguf.TensorType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufHeaderTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("model.gguf");
    }

    @Test
    void readsWhatTheFileSaysOfItself() throws IOException {
        writer("gpt-oss", 3)
                .number("gpt-oss.context_length", 4096)
                .truth("tokenizer.ggml.add_bos_token", true)
                .real("gpt-oss.rope.freq_base", 1)
                .tensor("a", TensorType.F16, new int[] {32, 3}, (_, _) -> {})
                .tensor("b", TensorType.Q8_0, new int[] {64, 2}, (_, _) -> {})
                .write(file);

        var header = GgufHeader.read(file);

        assertThat(header.texts()).containsEntry("general.architecture", "gpt-oss");
        assertThat(header.numbers()).containsEntry("gpt-oss.context_length", 4096L);
        assertThat(header.lengths()).containsEntry("tokenizer.ggml.tokens", 3L);
    }

    @Test
    void refusesAFileThatIsMissing() {
        refuses("does not exist");
    }

    @Test
    void refusesAFileThatIsNoGguf() throws IOException {
        Files.writeString(file, "PK and so on");
        refuses("is not a GGUF file");

        Files.writeString(file, "");
        refuses("is not a GGUF file");
    }

    @Test
    void refusesAFileThatEndsWithinItsHeader() throws IOException {
        writer("gpt-oss", 3)
                .tensor("a", TensorType.F32, new int[] {100}, (_, _) -> {})
                .write(file);
        ModelFile.read(file);

        truncate(60);
        refuses("is truncated: it ends within its header");
    }

    @Test
    void refusesAVocabularyThatIsNeitherByteLevelBpeNorSentencePieceByItsName() throws IOException {
        new GgufWriter()
                .text("general.architecture", "nomic-bert")
                .text("tokenizer.ggml.model", "bert")
                .write(file);
        refuses("has a vocabulary of the kind 'bert'; this engine runs byte-level BPE");

        new GgufWriter().text("general.architecture", "clip").write(file);
        refuses("has a vocabulary of the kind ''");
    }

    @Test
    void refusesAModelThatMakesEmbeddings() throws IOException {
        writer("qwen3", 3).number("qwen3.pooling_type", 3).write(file);

        refuses("holds a model that makes embeddings, not text");
    }

    @Test
    void refusesAFileThatDoesNotSayOfWhatArchitectureItIs() throws IOException {
        new GgufWriter().text("tokenizer.ggml.model", "gpt2").write(file);

        refuses("does not say of what architecture its model is");
    }

    @Test
    void aModelIsHarmonysByArchitectureAndVocabularyTogether() throws IOException {
        writer("gpt-oss", ModelFile.HARMONY_TOKENS).write(file);
        assertThat(ModelFile.read(file).isHarmony()).isTrue();

        writer("gpt-oss", 32_000).write(file);
        assertThat(ModelFile.read(file).isHarmony()).isFalse();

        writer("qwen2", ModelFile.HARMONY_TOKENS).write(file);
        assertThat(ModelFile.read(file).isHarmony()).isFalse();
    }

    @Test
    void tellsOfAModelWhatItsFileSays() throws IOException {
        writer("llama", 3)
                .number("llama.context_length", 8192)
                .text("general.name", "Made up")
                .text("tokenizer.chat_template", "usual")
                .text("tokenizer.chat_template.tool_use", "with tools")
                .write(file);

        assertThat(ModelFile.read(file))
                .isEqualTo(new ModelFile(
                        file,
                        "Made up",
                        "llama",
                        "gpt2",
                        3,
                        8192,
                        Map.of(ModelFile.DEFAULT_TEMPLATE, "usual", "tool_use", "with tools")));
    }

    @Test
    void aModelWithoutANameHasThatOfItsFile() throws IOException {
        writer("llama", 3).write(file);

        assertThat(ModelFile.read(file).name()).isEqualTo("model.gguf");
    }

    private static GgufWriter writer(String architecture, int vocabulary) {
        return new GgufWriter()
                .text("general.architecture", architecture)
                .text("tokenizer.ggml.model", "gpt2")
                .texts("tokenizer.ggml.tokens", Collections.nCopies(vocabulary, "x"));
    }

    private void truncate(long bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private void refuses(String problem) {
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(UnusableModelException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(problem);
    }
}
