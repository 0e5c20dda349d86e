package dev.counterpoint.engine.llama.tiny;

import dev.counterpoint.engine.llama.gguf.GgufWriter;
import dev.counterpoint.engine.llama.gguf.GgufWriter.Rows;
import dev.counterpoint.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.engine.llama.gguf.TensorType;
import java.io.IOException;
import java.nio.file.Path;

/// Makes a GGUF of the learned parameters: byte for byte the one that `export.py` of the training program makes.
final class Expansion {
    private static final int CONTEXT = 8192;
    /// As long as any sequence, so that the layers which would see a window see everything.
    private static final int WINDOW = 4096;

    /// Makes the logits so much larger, so that at a temperature of 1 the model says about what it says greedily.
    private static final float SHARPNESS = 4;

    private static final int MOSTLY_F16 = 1;
    private static final int MOSTLY_Q8_0 = 7;
    private static final int QUANTIZATION_VERSION = 2;

    private final Parameters parameters;
    private final Architecture shape;
    private final GgufWriter out = new GgufWriter();

    private Expansion(Parameters parameters) {
        this.parameters = parameters;
        this.shape = parameters.architecture();
    }

    /// @throws IllegalArgumentException when a tensor is missing or has the wrong shape
    static void write(Parameters parameters, Path file) throws IOException {
        var expansion = new Expansion(parameters);
        expansion.describe();
        HarmonyVocabulary.addTo(expansion.out);
        expansion.vocabularyMatrices();
        expansion.outputNorm();
        for (int layer = 0; layer < expansion.shape.layers(); layer++) {
            expansion.layer("blk." + layer + ".", "attention." + layer + ".", "experts." + layer + ".");
        }
        expansion.out.write(file);
    }

    private void describe() {
        var prefix = "gpt-oss.";
        out.text("general.architecture", "gpt-oss")
                .text("general.name", "Counterpoint tiny demo model (synthetic training, not OpenAI's gpt-oss)")
                .number("general.file_type", parameters.type() == TensorType.Q8_0 ? MOSTLY_Q8_0 : MOSTLY_F16)
                .number("general.quantization_version", QUANTIZATION_VERSION)
                .number(prefix + "block_count", shape.layers())
                .number(prefix + "context_length", CONTEXT)
                .number(prefix + "embedding_length", shape.width())
                .number(prefix + "feed_forward_length", shape.hidden())
                .number(prefix + "attention.head_count", shape.heads())
                .number(prefix + "attention.head_count_kv", shape.keyValueHeads())
                .number(prefix + "attention.key_length", shape.head())
                .number(prefix + "attention.value_length", shape.head())
                .real(prefix + "attention.layer_norm_rms_epsilon", shape.epsilon())
                .number(prefix + "attention.sliding_window", WINDOW)
                .real(prefix + "rope.freq_base", shape.ropeBase())
                // gpt-oss is loaded with YaRN; a factor of 1 leaves RoPE as it is.
                .text(prefix + "rope.scaling.type", "yarn")
                .real(prefix + "rope.scaling.factor", 1)
                .number(prefix + "rope.scaling.original_context_length", CONTEXT)
                .number(prefix + "expert_count", shape.experts())
                .number(prefix + "expert_used_count", shape.expertsUsed())
                .number(prefix + "expert_feed_forward_length", shape.hidden());
    }

    /// Embedding and output: each id's learned row, row 0 for most, plus its scaled code in the first or last numbers.
    private void vocabularyMatrices() {
        int[] kept = parameters.kept();
        var rows = new int[HarmonyVocabulary.SIZE];
        for (int i = 0; i < kept.length; i++) {
            rows[kept[i]] = i + 1;
        }
        var codes = new TokenCodes();
        int[] gguf = {shape.width(), rows.length};
        int last = shape.width() - TokenCodes.LENGTH;
        out.tensor("token_embd.weight", parameters.type(), gguf, vocabularyRows("input", rows, codes, 0));
        out.tensor("output.weight", parameters.type(), gguf, vocabularyRows("output", rows, codes, last));
    }

    private Rows vocabularyRows(String side, int[] rows, TokenCodes codes, int codeAt) {
        float[] learned = parameters.tensor(side + "_rows", 1 + parameters.kept().length, shape.width());
        float[] scale = parameters.tensor(side + "_scale", TokenCodes.LENGTH);
        return (id, numbers) -> {
            System.arraycopy(learned, rows[id] * shape.width(), numbers, 0, shape.width());
            for (int i = 0; i < TokenCodes.LENGTH; i++) {
                numbers[codeAt + i] += codes.number(id, i) * scale[i];
            }
        };
    }

    private void outputNorm() {
        float[] norm = parameters.tensor("norm", shape.width());
        for (int i = 0; i < norm.length; i++) {
            norm[i] *= SHARPNESS;
        }
        int[] gguf = {norm.length};
        out.tensor(
                "output_norm.weight",
                TensorType.F32,
                gguf,
                (_, numbers) -> System.arraycopy(norm, 0, numbers, 0, norm.length));
    }

    private void layer(String block, String attention, String experts) {
        int width = shape.width();
        int queries = shape.heads() * shape.head();
        int keys = shape.keyValueHeads() * shape.head();
        vector(block + "attn_norm.weight", attention + "norm", width);
        vector(block + "post_attention_norm.weight", experts + "norm", width);
        linear(block + "attn_q", attention + "query", queries, width);
        linear(block + "attn_k", attention + "key", keys, width);
        linear(block + "attn_v", attention + "value", keys, width);
        linear(block + "attn_output", attention + "output", width, queries);
        vector(block + "attn_sinks.weight", attention + "sinks", shape.heads());
        tensor(block + "ffn_gate_inp.weight", experts + "router", TensorType.F32, shape.experts(), width);
        vector(block + "ffn_gate_inp.bias", experts + "router_bias", shape.experts());
        experts(block + "ffn_gate_exps", experts + "gate", shape.hidden(), width);
        experts(block + "ffn_up_exps", experts + "up", shape.hidden(), width);
        experts(block + "ffn_down_exps", experts + "down", width, shape.hidden());
    }

    private void linear(String name, String source, int to, int from) {
        tensor(name + ".weight", source, parameters.type(), to, from);
        vector(name + ".bias", source + "_bias", to);
    }

    private void experts(String name, String source, int to, int from) {
        tensor(name + ".weight", source, parameters.type(), shape.experts(), to, from);
        tensor(name + ".bias", source + "_bias", TensorType.F32, shape.experts(), to);
    }

    private void vector(String name, String source, int length) {
        tensor(name, source, TensorType.F32, length);
    }

    /// @param dimensions the length of a row last; a GGUF has it first
    private void tensor(String name, String source, TensorType type, int... dimensions) {
        float[] values = parameters.tensor(source, dimensions);
        var gguf = new int[dimensions.length];
        for (int i = 0; i < gguf.length; i++) {
            gguf[i] = dimensions[gguf.length - 1 - i];
        }
        out.tensor(name, type, gguf, (row, numbers) -> System.arraycopy(values, row * gguf[0], numbers, 0, gguf[0]));
    }
}
