"""Submits three checkpoints to a witness with the client of aics-witness, which verifies the cosignatures."""

import pathlib
import sys

from aics_tlog import MerkleTree
from aics_witness.feeder import WitnessClient

url, vkey, folder = sys.argv[1:4]
tree = MerkleTree([str(entry).encode() for entry in range(100)])
client = WitnessClient(url, vkey)
for size in (3, 64, 100):
    client.submit((pathlib.Path(folder) / str(size)).read_bytes(), tree.consistency_proof)
print("cosigned")
