"""Makes a folder with a model of made-up weights and gpt-oss's tokens.

python model.py FOLDER RANKS ARCHITECTURE: the file of o200k_base's ranks; gpt_oss, or llama for servers that compute
gpt-oss's attention sinks on GPUs only, or not_harmony: a llama whose special tokens have other names. The logits lie far
apart. Those of vLLM's own --load-format dummy do not: several tokens share the best one to the last bit, and a resumed
output takes another of them.
"""

import json
import pathlib
import sys

import torch
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.convert_slow_tokenizer import TikTokenConverter

NAMED = {
    199998: "<|startoftext|>",
    199999: "<|endoftext|>",
    200002: "<|return|>",
    200003: "<|constrain|>",
    200005: "<|channel|>",
    200006: "<|start|>",
    200007: "<|end|>",
    200008: "<|message|>",
    200012: "<|call|>",
    200018: "<|endofprompt|>",
}
VOCABULARY = 201088
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

COMMON = {
    "vocab_size": VOCABULARY,
    "hidden_size": 128,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 64,
    "max_position_embeddings": 131072,
    "rope_theta": 150000,
    "rms_norm_eps": 1e-05,
    "hidden_act": "silu",
    "attention_dropout": 0.0,
    "initializer_range": 0.02,
    "tie_word_embeddings": False,
    "torch_dtype": "float32",
    "eos_token_id": 200002,
    "pad_token_id": 199999,
}
LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "bos_token_id": 199998,
    "attention_bias": False,
}
ARCHITECTURES = {
    "llama": LLAMA,
    "not_harmony": LLAMA,
    "gpt_oss": {
        "architectures": ["GptOssForCausalLM"],
        "model_type": "gpt_oss",
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "experts_per_token": 2,
        "sliding_window": 128,
        "layer_types": ["sliding_attention", "full_attention"],
        "initial_context_length": 4096,
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 32.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "truncate": False,
            "original_max_position_embeddings": 4096,
        },
        "swiglu_limit": 7.0,
        "attention_bias": True,
    },
}

folder, ranks, architecture = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
folder.mkdir(parents=True, exist_ok=True)
named = {199998: "<|startoftext|>", 199999: "<|endoftext|>", 200002: "<|return|>"} if architecture == "not_harmony" else NAMED
special = [named.get(token, f"<|reserved_{token}|>") for token in range(199998, VOCABULARY)]
TikTokenConverter(vocab_file=ranks, pattern=PATTERN, extra_special_tokens=special).converted().save(
    str(folder / "tokenizer.json")
)
(folder / "tokenizer_config.json").write_text(
    json.dumps(
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<|startoftext|>",
            "eos_token": "<|return|>",
            "pad_token": "<|endoftext|>",
            "model_max_length": 131072,
            "clean_up_tokenization_spaces": False,
        }
    )
)
(folder / "config.json").write_text(json.dumps(COMMON | ARCHITECTURES[architecture]))
torch.manual_seed(7)
model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
with torch.no_grad():
    model.lm_head.weight.mul_(50)
model.to(torch.float32).save_pretrained(folder / "weights")
for file in (folder / "weights").glob("*.safetensors*"):
    file.rename(folder / file.name)
for rest in (folder / "weights").iterdir():
    rest.unlink()
(folder / "weights").rmdir()
(folder / "generation_config.json").write_text(
    json.dumps({"bos_token_id": 199998, "pad_token_id": 199999, "eos_token_id": [200002, 199999, 200012]})
)
