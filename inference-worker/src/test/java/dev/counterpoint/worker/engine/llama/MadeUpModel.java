package dev.counterpoint.worker.engine.llama;

import dev.counterpoint.worker.engine.llama.gguf.GgufWriter;
import dev.counterpoint.worker.engine.llama.gguf.GgufWriter.Rows;
import dev.counterpoint.worker.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.worker.engine.llama.gguf.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.SplittableRandom;

/// A gpt-oss model of two layers whose weights are drawn from a fixed seed: it talks nonsense, always the same.
///
/// Its logits lie far apart, so that rounding, which differs with the size of a batch, does not change what it says.
final class MadeUpModel {
    private static final Path FILE = Path.of("target", "made-up-gpt-oss-3.gguf");
    private static final int LAYERS = 2;
    private static final int WIDTH = 64;
    private static final int HEADS = 4;
    private static final int KEY_HEADS = 2;
    private static final int HEAD_WIDTH = 64;
    private static final int EXPERTS = 4;
    private static final float SPREAD = 8;
    private static final float WEIGHT = 0.125f;

    private final GgufWriter out = new GgufWriter();
    private int seed;

    private MadeUpModel() {}

    /// The file; written when it is not there.
    static synchronized Path file() {
        try {
            if (!Files.exists(FILE)) {
                var unfinished = Files.createTempFile(Files.createDirectories(FILE.getParent()), "made-up", ".part");
                new MadeUpModel().write(unfinished);
                Files.move(unfinished, FILE, StandardCopyOption.ATOMIC_MOVE);
            }
            return FILE.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Path file) throws IOException {
        properties();
        HarmonyVocabulary.addTo(out);
        int[] vocabulary = {WIDTH, HarmonyVocabulary.SIZE};
        out.tensor("token_embd.weight", TensorType.Q8_0, vocabulary, random(1));
        out.tensor("output.weight", TensorType.Q8_0, vocabulary, random(SPREAD));
        out.tensor("output_norm.weight", TensorType.F32, new int[] {WIDTH}, ones());
        for (int layer = 0; layer < LAYERS; layer++) {
            attention("blk." + layer + ".");
            experts("blk." + layer + ".");
        }
        out.write(file);
    }

    private void properties() {
        var prefix = "gpt-oss.";
        out.text("general.architecture", "gpt-oss").text("general.name", "made-up");
        out.number(prefix + "block_count", LAYERS)
                .number(prefix + "context_length", 131_072)
                .number(prefix + "embedding_length", WIDTH)
                .number(prefix + "feed_forward_length", WIDTH)
                .number(prefix + "attention.head_count", HEADS)
                .number(prefix + "attention.head_count_kv", KEY_HEADS)
                .number(prefix + "attention.key_length", HEAD_WIDTH)
                .number(prefix + "attention.value_length", HEAD_WIDTH)
                .real(prefix + "attention.layer_norm_rms_epsilon", 1e-5f)
                .number(prefix + "attention.sliding_window", 128)
                .real(prefix + "rope.freq_base", 150_000)
                .text(prefix + "rope.scaling.type", "yarn")
                .real(prefix + "rope.scaling.factor", 32)
                .number(prefix + "rope.scaling.original_context_length", 4096)
                .number(prefix + "expert_count", EXPERTS)
                .number(prefix + "expert_used_count", 2)
                .number(prefix + "expert_feed_forward_length", WIDTH);
    }

    private void attention(String layer) {
        vector(layer + "attn_norm.weight", WIDTH, ones());
        matrix(layer + "attn_q", WIDTH, HEADS * HEAD_WIDTH);
        matrix(layer + "attn_k", WIDTH, KEY_HEADS * HEAD_WIDTH);
        matrix(layer + "attn_v", WIDTH, KEY_HEADS * HEAD_WIDTH);
        matrix(layer + "attn_output", HEADS * HEAD_WIDTH, WIDTH);
        vector(layer + "attn_sinks.weight", HEADS, random(0.5f));
    }

    private void experts(String layer) {
        vector(layer + "post_attention_norm.weight", WIDTH, ones());
        out.tensor(layer + "ffn_gate_inp.weight", TensorType.F32, new int[] {WIDTH, EXPERTS}, random(WEIGHT));
        vector(layer + "ffn_gate_inp.bias", EXPERTS, random(WEIGHT));
        for (var part : new String[] {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"}) {
            int[] shape = {WIDTH, WIDTH, EXPERTS};
            out.tensor(layer + part + ".weight", TensorType.F32, shape, random(WEIGHT));
            out.tensor(layer + part + ".bias", TensorType.F32, new int[] {WIDTH, EXPERTS}, random(0.02f));
        }
    }

    private void matrix(String name, int from, int to) {
        out.tensor(name + ".weight", TensorType.F32, new int[] {from, to}, random(WEIGHT));
        vector(name + ".bias", to, random(0.02f));
    }

    private void vector(String name, int length, Rows rows) {
        out.tensor(name, TensorType.F32, new int[] {length}, rows);
    }

    private static Rows ones() {
        return (_, numbers) -> Arrays.fill(numbers, 1);
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
