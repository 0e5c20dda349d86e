"""Fills in the model card.

python -m tiny.card checkpoint.pt parameters.bin evaluation.md MODEL-CARD.md
"""

import argparse
import hashlib
import pathlib
import string

from tiny.train import load

TEMPLATE = pathlib.Path(__file__).with_name("model_card.md")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("checkpoint", "parameters", "evaluation", "card"):
        options.add_argument(name, type=pathlib.Path)
    chosen = options.parse_args()
    state = load(chosen.checkpoint)
    content = chosen.parameters.read_bytes()
    count = sum(value.numel() for value in state["model"].values())
    training = (
        f"{state['seconds'] / 60:.0f} minutes, {state['step']:,} steps, {state['tokens'] / 1e6:.1f} million tokens"
    )
    chosen.card.write_text(
        string.Template(TEMPLATE.read_text()).substitute(
            parameters=f"{count / 1e6:.1f} million",
            table=chosen.evaluation.read_text().strip(),
            training=training,
            file=f"`{chosen.parameters.name}`, {len(content):,} bytes",
            sha256=hashlib.sha256(content).hexdigest(),
        )
    )


if __name__ == "__main__":
    main()
