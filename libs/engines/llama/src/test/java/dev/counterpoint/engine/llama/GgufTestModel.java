package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.gguf.GgufWriter;
import dev.counterpoint.engine.llama.gguf.GgufWriter.Rows;
import dev.counterpoint.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.engine.llama.gguf.TensorType;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.SplittableRandom;

/// A gpt-oss model whose weights are drawn from a fixed seed: it talks nonsense, always the same, and never stops.
///
/// Its logits lie far apart, so that rounding, which differs with the size of a batch, does not change what it says. A
/// small one multiplies whole floats: where weights are quantised llama.cpp rounds the state to 8 bits too, and makes
/// steps of half a logit of the last bit of a float.
/// It never says a part of a character: llama-server shows none before the whole is there, and nonsense never gets
/// whole.
/// The first numbers of its state are kept for one thing: after `assistant` it opens the final message.
public final class GgufTestModel {
    private static final Path FILE = Path.of("target", "made-up-gpt-oss-6.gguf");
    private static final int SMALL_WIDTH = 64;
    private static final int HEAD_WIDTH = 64;
    private static final int EXPERTS = 4;
    private static final float SPREAD = 8;
    private static final float BIAS = 0.02f;

    /// Each calls for the next.
    private static final int[] OPENING = {word("assistant"), SpecialTokens.CHANNEL, word("final"), SpecialTokens.MESSAGE
    };
    /// Numbers of the state that only these tokens use.
    private static final int KEPT = OPENING.length - 1;

    private static final float CALL = 60;

    private final GgufWriter out = new GgufWriter();
    private final int layers;
    private final int width;
    private final int heads;
    private final int keyHeads;
    private final TensorType type;
    private int seed;

    private GgufTestModel(int layers, int width) {
        this.layers = layers;
        this.width = width;
        this.heads = Math.max(4, width / HEAD_WIDTH);
        this.keyHeads = heads / 2;
        this.type = width == SMALL_WIDTH ? TensorType.F32 : TensorType.Q8_0;
    }

    private static int word(String text) {
        int[] ids = HarmonyTokenizer.shared().encode(text);
        if (ids.length != 1) {
            throw new IllegalArgumentException(text + " is not one token");
        }
        return ids[0];
    }

    /// For tests of the whole suite: writes a model where libllama is at hand, else says why not.
    ///
    /// @param arguments the file, and for one that is not small its layers and its width
    public static void main(String... arguments) throws IOException {
        if (!TestLibrary.isThere()) {
            System.out.println(TestLibrary.ABSENT);
            return;
        }
        boolean small = arguments.length == 1;
        int layers = small ? 2 : Integer.parseInt(arguments[1]);
        int width = small ? SMALL_WIDTH : Integer.parseInt(arguments[2]);
        new GgufTestModel(layers, width).write(Path.of(arguments[0]));
        System.out.println("made " + arguments[0]);
    }

    /// The file of a small one; written when it is not there.
    public static synchronized Path file() {
        try {
            if (!Files.exists(FILE)) {
                var unfinished = Files.createTempFile(Files.createDirectories(FILE.getParent()), "made-up", ".part");
                new GgufTestModel(2, SMALL_WIDTH).write(unfinished);
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
        int[] vocabulary = {width, HarmonyVocabulary.SIZE};
        out.tensor("token_embd.weight", TensorType.Q8_0, vocabulary, embedding(random(1)));
        out.tensor("output.weight", type, vocabulary, output(random(SPREAD)));
        out.tensor("output_norm.weight", TensorType.F32, new int[] {width}, ones());
        for (int layer = 0; layer < layers; layer++) {
            attention("blk." + layer + ".");
            experts("blk." + layer + ".");
        }
        out.write(file);
    }

    private void properties() {
        var prefix = "gpt-oss.";
        out.text("general.architecture", "gpt-oss").text("general.name", "made-up");
        out.number(prefix + "block_count", layers)
                .number(prefix + "context_length", 131_072)
                .number(prefix + "embedding_length", width)
                .number(prefix + "feed_forward_length", width)
                .number(prefix + "attention.head_count", heads)
                .number(prefix + "attention.head_count_kv", keyHeads)
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
                .number(prefix + "expert_feed_forward_length", width);
    }

    private void attention(String layer) {
        vector(layer + "attn_norm.weight", width, ones());
        matrix(layer + "attn_q", width, heads * HEAD_WIDTH, weights());
        matrix(layer + "attn_k", width, keyHeads * HEAD_WIDTH, weights());
        matrix(layer + "attn_v", width, keyHeads * HEAD_WIDTH, weights());
        out.tensor(
                layer + "attn_output.weight", type, new int[] {heads * HEAD_WIDTH, width}, withoutKeptRows(weights()));
        vector(layer + "attn_output.bias", width, withoutKeptNumbers(random(BIAS)));
        vector(layer + "attn_sinks.weight", heads, random(0.5f));
    }

    private void experts(String layer) {
        vector(layer + "post_attention_norm.weight", width, ones());
        out.tensor(layer + "ffn_gate_inp.weight", TensorType.F32, new int[] {width, EXPERTS}, weights());
        vector(layer + "ffn_gate_inp.bias", EXPERTS, random(BIAS));
        int[] matrices = {width, width, EXPERTS};
        int[] vectors = {width, EXPERTS};
        for (var part : new String[] {"ffn_gate_exps", "ffn_up_exps"}) {
            out.tensor(layer + part + ".weight", type, matrices, weights());
            out.tensor(layer + part + ".bias", TensorType.F32, vectors, random(BIAS));
        }
        out.tensor(layer + "ffn_down_exps.weight", type, matrices, withoutKeptRows(weights()));
        out.tensor(layer + "ffn_down_exps.bias", TensorType.F32, vectors, withoutKeptNumbers(random(BIAS)));
    }

    private void matrix(String name, int from, int to, Rows rows) {
        out.tensor(name + ".weight", type, new int[] {from, to}, rows);
        vector(name + ".bias", to, random(BIAS));
    }

    private void vector(String name, int length, Rows rows) {
        out.tensor(name, TensorType.F32, new int[] {length}, rows);
    }

    private static Rows embedding(Rows rows) {
        return (token, numbers) -> {
            rows.fill(token, numbers);
            for (int i = 0; i < KEPT; i++) {
                numbers[i] = token == OPENING[i] ? CALL : 0;
            }
        };
    }

    /// Of the special tokens only those of the opening can come, and of the others those that are text by themselves.
    private static Rows output(Rows rows) {
        return (token, numbers) -> {
            rows.fill(token, numbers);
            if (!isText(token) || token == OPENING[0] || token == OPENING[2]) {
                Arrays.fill(numbers, 0);
            }
            for (int i = 0; i < KEPT; i++) {
                numbers[i] = token == OPENING[i + 1] ? CALL : 0;
            }
        };
    }

    private static boolean isText(int token) {
        if (SpecialTokens.isSpecial(token)) {
            return false;
        }
        byte[] bytes = HarmonyTokenizer.shared().bytes(token);
        return Arrays.equals(bytes, new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
    }

    private Rows withoutKeptRows(Rows rows) {
        return (row, numbers) -> {
            rows.fill(row, numbers);
            if (row % width < KEPT) {
                Arrays.fill(numbers, 0);
            }
        };
    }

    private static Rows withoutKeptNumbers(Rows rows) {
        return (row, numbers) -> {
            rows.fill(row, numbers);
            Arrays.fill(numbers, 0, KEPT, 0);
        };
    }

    private static Rows ones() {
        return (_, numbers) -> Arrays.fill(numbers, 1);
    }

    private Rows weights() {
        return random((float) (1 / Math.sqrt(width)));
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
