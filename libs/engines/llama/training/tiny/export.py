"""Expands a parameter file into a GGUF that libllama loads as `gpt-oss`: the reference of the worker's first start.

python -m tiny.export parameters.bin model.gguf --type Q8_0
"""

import argparse
import pathlib

import gguf
import numpy as np

from tiny import parameters, vocabulary

ARCHITECTURE = "gpt-oss"
CONTEXT, WINDOW = 8192, 4096
# Requests that name no temperature get 1, at which so small a model would often take a wrong turn: each of 200,000 tokens
# has a little probability. Logits of four times the size make 1 what 0.25 was; the best token stays the best.
SHARPNESS = 4
FILE_TYPES = {
    "F16": gguf.LlamaFileType.MOSTLY_F16,
    "Q8_0": gguf.LlamaFileType.MOSTLY_Q8_0,
    "Q4_0": gguf.LlamaFileType.MOSTLY_Q4_0,
}
NORMAL, CONTROL = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL


def _byte_names():
    """GPT-2's characters for bytes: printable ones stand for themselves, the others follow from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{byte: chr(byte) for byte in printable}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


BYTE_NAMES = _byte_names()


def _spelled(content):
    return "".join(BYTE_NAMES[byte] for byte in content)


def _tokens():
    texts = [_spelled(content) for content in vocabulary.token_bytes()]
    return texts + [vocabulary.special_name(token) for token in range(vocabulary.TEXT, vocabulary.SIZE)]


def _describe(writer, shape, kind):
    writer.add_name("Counterpoint tiny demo model (synthetic training, not OpenAI's gpt-oss)")
    writer.add_file_type(FILE_TYPES[kind])
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(shape["layers"])
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(shape["width"])
    writer.add_feed_forward_length(shape["hidden"])
    writer.add_head_count(shape["heads"])
    writer.add_head_count_kv(shape["key_value_heads"])
    writer.add_key_length(shape["head"])
    writer.add_value_length(shape["head"])
    writer.add_layer_norm_rms_eps(shape["epsilon"])
    # As long as any sequence, so that the layers which would see a window see everything.
    writer.add_sliding_window(WINDOW)
    writer.add_rope_freq_base(shape["rope_base"])
    # gpt-oss is loaded with YaRN; a factor of 1 leaves RoPE as it is.
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(1.0)
    writer.add_rope_scaling_orig_ctx_len(CONTEXT)
    writer.add_expert_count(shape["experts"])
    writer.add_expert_used_count(shape["experts_used"])
    writer.add_expert_feed_forward_length(shape["hidden"])


def _vocabulary(writer):
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-4o")
    writer.add_token_list(_tokens())
    writer.add_token_types([NORMAL] * vocabulary.TEXT + [CONTROL] * (vocabulary.SIZE - vocabulary.TEXT))
    writer.add_token_merges([f"{_spelled(left)} {_spelled(right)}" for left, right in vocabulary.merges()])
    writer.add_bos_token_id(199_998)
    writer.add_eos_token_id(vocabulary.RETURN)
    writer.add_pad_token_id(vocabulary.PADDING)
    writer.add_add_bos_token(False)


def vocabulary_matrices(tensors, kept):
    """Embedding and output: each id's learned row, row 0 for most, plus its scaled code in the first or last half."""
    rows = np.zeros(vocabulary.SIZE, np.int64)
    rows[kept] = np.arange(1, len(kept) + 1)
    codes = vocabulary.codes()
    embedding, output = tensors["input_rows"][rows], tensors["output_rows"][rows]
    embedding[:, : vocabulary.CODE] += codes * tensors["input_scale"]
    output[:, -vocabulary.CODE :] += codes * tensors["output_scale"]
    return embedding, output


def _tensors(shape, kept, tensors):
    """The names and values of all tensors, and whether each is stored in the file's type."""
    embedding, output = vocabulary_matrices(tensors, kept)
    yield "token_embd.weight", embedding, True
    yield "output.weight", output, True
    yield "output_norm.weight", tensors["norm"] * np.float32(SHARPNESS), False
    for layer in range(shape["layers"]):
        block, attention, experts = f"blk.{layer}.", f"attention.{layer}.", f"experts.{layer}."
        yield block + "attn_norm.weight", tensors[attention + "norm"], False
        yield block + "post_attention_norm.weight", tensors[experts + "norm"], False
        for theirs, ours in (("q", "query"), ("k", "key"), ("v", "value"), ("output", "output")):
            yield f"{block}attn_{theirs}.weight", tensors[attention + ours], True
            yield f"{block}attn_{theirs}.bias", tensors[f"{attention}{ours}_bias"], False
        yield block + "attn_sinks.weight", tensors[attention + "sinks"], False
        yield block + "ffn_gate_inp.weight", tensors[experts + "router"], False
        yield block + "ffn_gate_inp.bias", tensors[experts + "router_bias"], False
        for name in ("gate", "up", "down"):
            yield f"{block}ffn_{name}_exps.weight", tensors[experts + name], True
            yield f"{block}ffn_{name}_exps.bias", tensors[f"{experts}{name}_bias"], False


def export(source, target, kind):
    metadata, kept, tensors = parameters.read(source)
    shape = {name: float(value) if "." in value or "e" in value else int(value) for name, value in metadata.items()}
    writer = gguf.GGUFWriter(target, ARCHITECTURE)
    _describe(writer, shape, kind)
    _vocabulary(writer)
    quantisation = gguf.GGMLQuantizationType[kind]
    for name, values, compressed in _tensors(shape, kept, tensors):
        if compressed:
            writer.add_tensor(
                name, gguf.quants.quantize(np.ascontiguousarray(values), quantisation), raw_dtype=quantisation
            )
        else:
            writer.add_tensor(name, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parameters", type=pathlib.Path)
    options.add_argument("gguf", type=pathlib.Path)
    options.add_argument("--type", choices=list(FILE_TYPES), default="Q8_0")
    chosen = options.parse_args()
    export(chosen.parameters, chosen.gguf, chosen.type)
    print(f"{chosen.gguf.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
