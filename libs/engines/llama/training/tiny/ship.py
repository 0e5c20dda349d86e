"""Puts a checkpoint where the worker finds it: the learned parameters, and the checksums of their file and of the GGUF
that the worker has to make of it, which is the one that `tiny.export` makes.

python -m tiny.ship checkpoint.pt --type q8_0
"""

import argparse
import hashlib
import pathlib
import tempfile

from tiny import export, parameters

NAME = "counterpoint-tiny"
FOLDER = (
    pathlib.Path(__file__).parents[2] / "src/main/resources/dev/counterpoint/engine/llama/tiny"
)


def _line(path):
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"


def ship(model, kept, kind, folder=FOLDER, name=NAME):
    """Writes NAME.safetensors and NAME.sha256."""
    folder.mkdir(parents=True, exist_ok=True)
    learned = folder / f"{name}.safetensors"
    parameters.write(learned, model, kept, kind)
    with tempfile.TemporaryDirectory() as temporary:
        expanded = pathlib.Path(temporary) / f"{name}.gguf"
        export.export(learned, expanded, kind.upper())
        (folder / f"{name}.sha256").write_text(_line(learned) + _line(expanded))
    return learned


def main():
    from tiny.train import load_model

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=pathlib.Path)
    options.add_argument("--type", choices=["q8_0", "f16"], default="q8_0")
    chosen = options.parse_args()
    learned = ship(*load_model(chosen.checkpoint), chosen.type)
    print(f"{learned.stat().st_size:,} bytes\n{learned.with_suffix('.sha256').read_text()}", end="")


if __name__ == "__main__":
    main()
