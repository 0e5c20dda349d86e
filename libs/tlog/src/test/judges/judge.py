"""Reads a log in a folder with aics-tlog: note, cosignature, every tile and entry, a proof for each entry."""

import pathlib
import sys

import aics_tlog

folder, log_key, witness_key = sys.argv[1:4]
note = (pathlib.Path(folder) / "checkpoint").read_text(encoding="utf-8")
signed = aics_tlog.parse_note(note)
head = aics_tlog.parse_checkpoint(signed.text)
result = aics_tlog.verify_checkpoint(
    signed, aics_tlog.parse_vkey(log_key), [aics_tlog.parse_vkey(witness_key)], quorum=1
)
if not result.ok:
    sys.exit(f"refused: {result}")
store = aics_tlog.DirectoryTileStore(folder)
aics_tlog.audit_tiles(store, head.size, head.root)
reader = aics_tlog.VerifiedTileReader(store, head.size, head.root)
for index in range(head.size):
    proof = aics_tlog.inclusion_proof_from_tiles(reader, index, head.size)
    if not aics_tlog.verify_leaf_inclusion(reader.entry(index), index, head.size, proof, head.root):
        sys.exit(f"refused: entry {index}")
print(f"accepted: {head.size} leaves")
