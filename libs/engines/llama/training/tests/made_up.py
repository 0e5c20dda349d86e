"""Writes what the worker's test of the expansion compares itself with: two small models that learned nothing.

python -m tests.made_up
"""

import pathlib

import torch

from tiny import ship, vocabulary
from tiny.architecture import Shape, Tiny

FOLDER = pathlib.Path(__file__).parents[2] / "src/test/resources/dev/counterpoint/engine/llama/tiny"
# Small, yet of tensors that are quantised and of such that are too small for it.
SHAPE = Shape(width=96, layers=1, heads=4, key_value_heads=1, head=32, experts=3, experts_used=2, hidden=32)
KEPT = sorted({*range(40), *vocabulary.encode(" Paris 123 \nÄ"), vocabulary.START, vocabulary.RETURN})


def main():
    torch.manual_seed(7)
    model = Tiny(KEPT, SHAPE)
    for value in model.parameters():  # norms and biases too
        torch.nn.init.normal_(value)
    for kind in ("q8_0", "f16"):
        ship.ship(model, KEPT, kind, FOLDER, f"made-up-{kind}")


if __name__ == "__main__":
    main()
