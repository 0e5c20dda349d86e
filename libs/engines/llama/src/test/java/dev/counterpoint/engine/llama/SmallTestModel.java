package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.gguf.GgufWriter;
import dev.counterpoint.engine.llama.gguf.GgufWriter.Rows;
import dev.counterpoint.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.engine.llama.gguf.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// A llama model of one layer with a vocabulary of some 300 tokens, its weights drawn from a fixed seed.
final class SmallTestModel {
    static final String MARK = "<think>";

    private static final int WIDTH = 64;
    private static final int NORMAL = 1;
    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;
    private static final int BYTE = 6;
    private static final List<String> WORDS = List.of("th", "he", "the", "▁the", "▁t", "an", "▁an", "▁▁", "é", "日本");

    private final GgufWriter out = new GgufWriter();
    private final List<String> tokens = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();
    private int seed;

    private SmallTestModel() {}

    /// @param bytes how many of the tokens for single bytes it has
    static Path sentencePiece(Path file, int bytes) throws IOException {
        var model = new SmallTestModel();
        model.sentencePiece(bytes);
        return model.write(file);
    }

    /// @param patterns by which it takes texts apart, as llama.cpp names them
    static Path byteLevel(Path file, String patterns) throws IOException {
        var model = new SmallTestModel();
        model.byteLevel(patterns);
        return model.write(file);
    }

    private Path write(Path file) throws IOException {
        out.text("general.architecture", "llama")
                .number("llama.block_count", 1)
                .number("llama.context_length", 2048)
                .number("llama.embedding_length", WIDTH)
                .number("llama.feed_forward_length", WIDTH)
                .number("llama.attention.head_count", 2)
                .number("llama.attention.head_count_kv", 1)
                .real("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        int[] embedding = {WIDTH, tokens.size()};
        out.tensor("token_embd.weight", TensorType.F32, embedding, random(1));
        out.tensor("output.weight", TensorType.F32, embedding, random(8));
        vector("output_norm");
        vector("blk.0.attn_norm");
        vector("blk.0.ffn_norm");
        matrix("attn_q", WIDTH);
        matrix("attn_k", WIDTH / 2);
        matrix("attn_v", WIDTH / 2);
        for (var name : List.of("attn_output", "ffn_gate", "ffn_up", "ffn_down")) {
            matrix(name, WIDTH);
        }
        out.write(file);
        return file;
    }

    private void byteLevel(String patterns) {
        for (int value = 0; value < 256; value++) {
            token(HarmonyVocabulary.gpt2(new byte[] {(byte) value}), NORMAL);
        }
        token("aa", NORMAL);
        token(MARK, CONTROL);
        out.text("tokenizer.ggml.model", "gpt2")
                .text("tokenizer.ggml.pre", patterns)
                .texts("tokenizer.ggml.merges", List.of("a a"));
        end(256, 257);
    }

    private void sentencePiece(int bytes) {
        token("<unk>", UNKNOWN);
        token("<s>", CONTROL);
        token("</s>", CONTROL);
        for (int value = 0; value < bytes; value++) {
            token("<0x%02X>".formatted(value), BYTE);
        }
        token(MARK, USER_DEFINED);
        token("▁", NORMAL);
        for (char letter = 'a'; letter <= 'z'; letter++) {
            token(String.valueOf(letter), NORMAL);
        }
        WORDS.forEach(word -> token(word, NORMAL));
        var scores = new float[tokens.size()];
        for (int id = 0; id < scores.length; id++) {
            scores[id] = -id;
        }
        out.text("tokenizer.ggml.model", "llama").reals("tokenizer.ggml.scores", scores);
        end(1, 2);
    }

    private void end(int beginToken, int endToken) {
        out.texts("tokenizer.ggml.tokens", tokens)
                .numbers(
                        "tokenizer.ggml.token_type",
                        types.stream().mapToInt(type -> type).toArray())
                .number("tokenizer.ggml.bos_token_id", beginToken)
                .number("tokenizer.ggml.eos_token_id", endToken);
    }

    private void token(String text, int type) {
        tokens.add(text);
        types.add(type);
    }

    private void vector(String name) {
        out.tensor(name + ".weight", TensorType.F32, new int[] {WIDTH}, (_, numbers) -> Arrays.fill(numbers, 1));
    }

    private void matrix(String name, int to) {
        out.tensor("blk.0." + name + ".weight", TensorType.F32, new int[] {WIDTH, to}, random(0.125f));
    }

    private Rows random(float scale) {
        var random = new SplittableRandom(++seed);
        return (_, numbers) -> {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = scale * (float) random.nextGaussian();
            }
        };
    }
}
