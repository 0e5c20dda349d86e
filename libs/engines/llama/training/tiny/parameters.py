"""The learned parameters alone, as one file: what the worker ships. Everything else follows from the vocabulary.

The file is a safetensors file: eight bytes (little-endian) with the length of a JSON header, the header, the data. In
the header's `__metadata__` are `format` (tiny-gpt-oss-parameters), `version` and the numbers of the architecture, all
as text. A tensor NAME is stored as one tensor of F32 or F16, or, quantised as Q8_0 is, as two: NAME.values (I8, its own
shape) and NAME.scales (F16, one for 32 values of a row). Those of fewer than 4,096 values are F32. `kept` (I32) has the
ids whose rows follow row 0 in input_rows and output_rows.

    python -m tiny.parameters checkpoint.pt parameters.bin --type q8_0
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib

import numpy as np

FORMAT, VERSION = "tiny-gpt-oss-parameters", "1"
BLOCK = 32
DTYPES = {"F32": np.float32, "F16": np.float16, "I8": np.int8, "I32": np.int32}
SMALL = 4096


def _quantised(values):
    """Values and scales as Q8_0 has them: the largest of 32 becomes 127."""
    blocks = values.reshape(-1, BLOCK).astype(np.float32)
    scales = np.abs(blocks).max(1, keepdims=True) / np.float32(127)
    inverse = np.divide(1, scales, out=np.zeros_like(scales), where=scales > 0)
    whole = np.trunc(blocks * inverse + np.copysign(np.float32(0.5), blocks)).astype(np.int8)
    return whole.reshape(values.shape), scales.astype(np.float16).reshape(*values.shape[:-1], -1)


def _entries(tensors, kind):
    for name, values in tensors.items():
        if values.dtype == np.int32 or values.size < SMALL:
            yield name, values
        elif kind == "f16":
            yield name, values.astype(np.float16)
        else:
            whole, scales = _quantised(values)
            yield f"{name}.values", whole
            yield f"{name}.scales", scales


def write(path, model, kept, kind):
    tensors = {name: value.detach().numpy() for name, value in model.named_parameters()}
    tensors["kept"] = np.array(kept, np.int32)
    shape = {name: str(value) for name, value in dataclasses.asdict(model.shape).items()}
    header, data = {"__metadata__": {"format": FORMAT, "version": VERSION, **shape}}, bytearray()
    names = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
    for name, values in _entries(tensors, kind):
        start = len(data)
        data += np.ascontiguousarray(values).tobytes()
        header[name] = {"dtype": names[values.dtype], "shape": list(values.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read(path):
    """The architecture's numbers, the kept ids, and the tensors as float32."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    metadata = header.pop("__metadata__")
    if (metadata.pop("format"), metadata.pop("version")) != (FORMAT, VERSION):
        raise ValueError(f"{path} is not version {VERSION} of {FORMAT}")
    stored = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        stored[name] = np.frombuffer(content[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    tensors = {}
    for name, values in stored.items():
        if name.endswith(".values"):
            name = name.removesuffix(".values")
            values = values.astype(np.float32) * np.repeat(stored[f"{name}.scales"].astype(np.float32), BLOCK, -1)
        if not name.endswith(".scales"):
            tensors[name] = values if values.dtype == np.int32 else values.astype(np.float32)
    return metadata, tensors.pop("kept"), tensors


def main():
    from tiny.train import load_model

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=pathlib.Path)
    options.add_argument("parameters", type=pathlib.Path)
    options.add_argument("--type", choices=["q8_0", "f16"], default="q8_0")
    chosen = options.parse_args()
    model, kept = load_model(chosen.checkpoint)
    write(chosen.parameters, model, kept, chosen.type)
    content = chosen.parameters.read_bytes()
    print(f"{len(content):,} bytes  sha256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
