"""Reads a log in a folder with aics-tlog: note, cosignature, every tile and entry, a proof for each entry. OpenSSL
verifies the ML-DSA-44 signature."""

import base64
import pathlib
import sys

import aics_tlog
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey


def verify_ml_dsa(note, head, vkey):
    """The message of c2sp.org/tlog-cosignature#ml-dsa-44-signed-message."""
    name, key_id, material = vkey.split("+", 2)
    lines = [base64.b64decode(line.split(" ")[2]) for line in note.splitlines() if line.startswith(f"— {name} ")]
    payload = next(line for line in lines if line[:4].hex() == key_id)
    texts = [bytes([len(text)]) + text for text in (name.encode(), head.origin.encode())]
    message = b"subtree/v1\n\0" + texts[0] + payload[4:12] + texts[1] + bytes(8) + head.size.to_bytes(8) + head.root
    MLDSA44PublicKey.from_public_bytes(base64.b64decode(material)[1:]).verify(payload[12:], message)


folder, log_key, witness_key, ml_dsa_key = sys.argv[1:5]
note = (pathlib.Path(folder) / "checkpoint").read_text(encoding="utf-8")
signed = aics_tlog.parse_note(note)
head = aics_tlog.parse_checkpoint(signed.text)
result = aics_tlog.verify_checkpoint(
    signed, aics_tlog.parse_vkey(log_key), [aics_tlog.parse_vkey(witness_key)], quorum=1
)
if not result.ok:
    sys.exit(f"refused: {result}")
verify_ml_dsa(note, head, ml_dsa_key)
store = aics_tlog.DirectoryTileStore(folder)
aics_tlog.audit_tiles(store, head.size, head.root)
reader = aics_tlog.VerifiedTileReader(store, head.size, head.root)
for index in range(head.size):
    proof = aics_tlog.inclusion_proof_from_tiles(reader, index, head.size)
    if not aics_tlog.verify_leaf_inclusion(reader.entry(index), index, head.size, proof, head.root):
        sys.exit(f"refused: entry {index}")
print(f"accepted: {head.size} leaves")
