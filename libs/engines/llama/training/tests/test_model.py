"""Training resumes where it stopped, the parameter file keeps what its type holds; libllama says what torch does."""

import random

import gguf
import numpy as np
import pytest
import torch

from tiny import export, parameters, train, vocabulary
from tiny.architecture import Tiny
from tiny.conversations.mixture import sample
from tiny.llama import Llama

KEPT = sorted(
    {*range(1000), *train.CONTROL, *vocabulary.encode("system user assistant developer analysis final commentary")}
)
TOLERANCE = 0.02


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(7)
    return Tiny(KEPT).eval()


def _trained(trainer, steps):
    for _ in range(steps):
        trainer.train(0.1)
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def test_a_checkpoint_resumes_with_the_same_steps(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "TOKENS_PER_STEP", 512)
    monkeypatch.setattr(train, "POOL", 20)
    torch.set_num_threads(1)
    first = train.Trainer(KEPT, seed=1)
    _trained(first, 2)
    train.save(first.state(), tmp_path / "checkpoint.pt")
    expected = _trained(first, 3)
    resumed = train.begin(tmp_path / "checkpoint.pt", seed=2)
    assert resumed.step == 2
    after = _trained(resumed, 3)
    assert all(torch.equal(value, after[name]) for name, value in expected.items())


def test_the_parameter_file_has_what_q8_0_has(model, tmp_path):
    parameters.write(tmp_path / "parameters.bin", model, KEPT, "q8_0")
    metadata, kept, tensors = parameters.read(tmp_path / "parameters.bin")
    assert list(kept) == KEPT
    assert metadata["experts"] == "4"
    for name, value in model.named_parameters():
        ours, exact = tensors[name], value.detach().numpy()
        if exact.size < parameters.SMALL:
            np.testing.assert_array_equal(ours, exact)
        else:
            kind = gguf.GGMLQuantizationType.Q8_0
            np.testing.assert_allclose(ours, gguf.quants.dequantize(gguf.quants.quantize(exact, kind), kind), atol=1e-6)


def test_a_file_of_another_version_is_refused(model, tmp_path, monkeypatch):
    monkeypatch.setattr(parameters, "VERSION", "0")
    parameters.write(tmp_path / "parameters.bin", model, KEPT, "f16")
    monkeypatch.undo()
    with pytest.raises(ValueError, match="version 1"):
        parameters.read(tmp_path / "parameters.bin")


def test_libllama_computes_what_torch_does(model, tmp_path):
    parameters.write(tmp_path / "parameters.bin", model, KEPT, "f16")
    export.export(tmp_path / "parameters.bin", tmp_path / "model.gguf", "F16")
    rng = random.Random(5)
    with Llama(tmp_path / "model.gguf", threads=1) as llama:
        for _ in range(8):
            one = sample(rng)
            prompt = one.ids[: one.steps[-1][0]]
            difference = np.abs(llama.logits(prompt) / export.SHARPNESS - model.logits(prompt).numpy())
            assert difference.max() < TOLERANCE


def test_every_token_of_the_vocabulary_is_the_merge_of_two_others():
    contents = set(vocabulary.token_bytes())
    merges = vocabulary.merges()
    assert len(merges) == vocabulary.TEXT - 256
    assert all(left in contents and right in contents for left, right in merges)
