#!/usr/bin/env python3
"""Verifies Counterpoint's audit log, or bundles of it, without Counterpoint. docs/audit-bundle.md describes both.

    verify_log.py log FOLDER --key VKEY
    verify_log.py bundle ZIP... --key VKEY

Prints {"ok", "kind", "first_bad", "size"} for each. Exit code 0: good, 1: changed, 2: could not check. Needs Python 3.10 and
`cryptography`. Verifies Ed25519 signatures of the log; ignores witnesses, and tiles of hashes above the lowest level.
"""
import argparse, base64, hashlib, json, pathlib, re, sys, zipfile
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NUMBER = "(0|[1-9][0-9]{0,17})"
LEAF = re.compile((r'\{"c":"([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)","k":"([a-z_]+)"(?:,"n":N(?:,"p":N)?,"t":"([ !#-\[\]-~]{1,100})")?,'
                   r'"ts":N,"v":1\}').replace("N", NUMBER).encode())
SIGNATURE = re.compile(r"— ([^+\s\x00-\x1f]+) ([A-Za-z0-9+/=]{8,})")
ROW = re.compile(rf"(?:leaves|records|events)/{NUMBER}\.(?:json|tlog-proof)")

class Fault(Exception):
    """Kind, and the index of the first bad leaf where it is known."""

def require(kept):
    if not kept: raise ValueError

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def unbase64(text):
    value = base64.b64decode(text, validate=True)
    require(base64.b64encode(value).decode() == text)
    return value

def read_key(vkey):
    name, _, material = vkey.split("+", 2)
    material = unbase64(material)
    require(material[0] == 1)
    return name, sha256(name.encode(), b"\n", material)[:4], Ed25519PublicKey.from_public_bytes(material[1:])

def checkpoint(note, keys, result):
    try:
        text, _, signatures = note.decode().rpartition("\n\n")
        lines, signers = [SIGNATURE.fullmatch(line) for line in signatures[:-1].split("\n")], set()
        require(all(lines) and signatures.endswith("\n"))
        for name, payload in [(line[1], unbase64(line[2])) for line in lines]:
            for key in keys:
                if (name, payload[:4]) == key[:2]:
                    key[2].verify(payload[4:], text.encode() + b"\n")
                    signers.add(name)
        origin, size, root, *_ = text.split("\n")
        require(origin in signers and re.fullmatch(NUMBER, size))
        result["size"] = int(size)
        return int(size), unbase64(root)
    except (ValueError, InvalidSignature):
        raise Fault("forged")

def tree_root(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256()
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1", tree_root(hashes[:half]), tree_root(hashes[half:]))

def climb(index, size, leaf, path):
    """The root to which an inclusion proof leads: RFC 6962, section 2.1.1."""
    require(index < size and (size > 1 or not path))
    if size == 1:
        return leaf
    half, sibling = 1 << (size - 1).bit_length() - 1, path[-1]
    if index < half:
        return sha256(b"\1", climb(index, half, leaf, path[:-1]), sibling)
    return sha256(b"\1", sibling, climb(index - half, size - half, leaf, path[:-1]))

def tile(folder, level, number, width):  # the partial one, or the full one in its place
    path, rest = f"{number % 1000:03}", number // 1000
    while rest:
        path, rest = f"x{rest % 1000:03}/{path}", rest // 1000
    partial = folder / f"tile/{level}/{path}.p/{width}"
    return (partial.read_bytes(), width) if partial.is_file() else ((folder / f"tile/{level}/{path}").read_bytes(), 256)

def entries_of(bundle, count):
    at = 0
    for _ in range(count):
        end = at + 2 + int.from_bytes(bundle[at:at + 2], "big")
        require(at + 2 <= end <= len(bundle))
        yield bundle[at + 2:end]
        at = end
    require(at == len(bundle))

def verify_block(folder, size, first):
    """The entries of a block of 256 leaves, and the hash above them."""
    number, width, last = first // 256, min(256, size - first), (size - 1) // 256
    try:
        entries = list(entries_of(*tile(folder, "entries", number, width)))[:width]
        tile_of_hashes, held = tile(folder, 0, number, width)
        require(len(tile_of_hashes) == 32 * held)
    except FileNotFoundError:
        end = f"{last % 1000:03}.p/{size % 256}" if size % 256 else f"{last % 1000:03}"
        raise Fault("deleted" if any(folder.glob("tile/entries/**/" + end)) else "truncated", first)
    except ValueError:
        raise Fault("edited", first)
    hashes = [sha256(b"\0", entry) for entry in entries]
    known = [tile_of_hashes[i:i + 32] for i in range(0, 32 * width, 32)]
    for at in range(width):
        if hashes[at] != known[at]:
            raise Fault("reordered" if set(hashes) == set(known) else "deleted" if hashes[at] in known[at + 1:at + 2]
                        else "inserted" if known[at] in hashes[at + 1:at + 2] else "edited", first + at)
    return entries, tree_root(hashes)

def verify_log(folder, keys, result):
    size, root = checkpoint((folder / "checkpoint").read_bytes(), keys, result)
    fault, counts, roots = None, {}, []
    for first in range(0, size, 256):
        entries, above = verify_block(folder, size, first)
        roots.append(above)
        for index, leaf in enumerate(map(LEAF.fullmatch, entries), first):
            if not leaf:
                fault = fault or Fault("forged", index)
            elif leaf[5] is not None:  # the leaves of a tenant are numbered, and each names the one before
                known, before = counts.get(leaf[5], (0, None)), (int(leaf[3]) - 1, leaf[4] and int(leaf[4]))
                if before != known:
                    fault = fault or Fault("deleted" if before[0] > known[0] else "forged", index)
                counts[leaf[5]] = before[0] + 1, index
    if root != tree_root(roots):
        raise Fault("edited", 0) if size else Fault("forged")
    if fault:
        raise fault

def exactly(file):
    """Reads JSON in one form only: members in order, no blanks, the escapes of RFC 8785."""
    value = json.loads(file.decode(), parse_constant=lambda _: require(False))
    require(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == file)
    return value

def verify_row(index, files, note, size, root, lacking, covered):
    leaf, proof, record, event = (files(name % index) for name in
                                  ("leaves/%d.json", "leaves/%d.tlog-proof", "records/%d.json", "events/%d.json"))
    if leaf is None or proof is None: raise Fault("inserted" if leaf is proof else "deleted", index)
    if (record is None) == (event is None): raise Fault("deleted" if record is None else "inserted", index)
    head, _, signed = proof.decode().partition("\n\n")
    match = re.fullmatch(r"c2sp\.org/tlog-proof@v1(?:\nextra (.*))?\nindex " + NUMBER + r"((?:\n.{44}){0,63})", head)
    require(match and signed.encode() == note and (match[1] is None or unbase64(match[1]) is not None))
    if int(match[2]) != index:
        raise Fault("reordered", index)
    require(climb(index, size, sha256(b"\0", leaf), [unbase64(line) for line in match[3].split()]) == root)
    entry = LEAF.fullmatch(leaf)
    if not entry:
        raise Fault("forged", index)
    opening = exactly(record if entry[2] == b"trace_record" else event)
    require(opening.keys() <= {"row", "salt", "personal", "personal_salt", "content"})
    salt, personal_salt, content = (unbase64(opening.get(name, "")) for name in ("salt", "personal_salt", "content"))
    require(sha256(salt, opening["row"].encode()) == unbase64(entry[1].decode()))
    row = json.loads(opening["row"])
    require("personal" not in opening or sha256(personal_salt, opening["personal"].encode()).hex() == row["personal"])
    require("content" not in opening or sha256(content).hex() == row["content"])
    lacking.update([index] if row.get("personal") and not opening.keys() >= {"personal", "personal_salt"} else [])
    covered.update(row.get("covers", []) if record is None else [])

def verify_bundle(file, keys, result):
    archive = zipfile.ZipFile(file)
    names, files = archive.namelist(), lambda name: archive.read(name) if name in archive.NameToInfo else None
    if len(set(names)) < len(names):
        raise Fault("inserted")
    if "manifest.json" not in names or max(info.file_size for info in archive.infolist()) > 1 << 26:
        raise OSError("not a bundle, or a file in it has more than 64 MiB")
    manifest, note, index = files("manifest.json"), files("checkpoint"), None
    if note is None: raise Fault("deleted")
    (size, root), lacking, covered = checkpoint(note, keys, result), set(), set()
    try:
        for index in sorted({int(row[1]) for row in map(ROW.fullmatch, names) if row}):
            verify_row(index, files, note, size, root, lacking, covered)
        index = min(lacking - covered, default=None)
        if index is not None:
            raise Fault("deleted", index)
        listed = exactly(manifest)
        require(listed.keys() == {"files", "v"} and type(listed["v"]) is int and listed["v"] == 1)
        if listed["files"].keys() != set(names) - {"manifest.json"}:
            raise Fault("inserted" if listed["files"].keys() <= set(names) - {"manifest.json"} else "deleted")
        require(all(sha256(archive.read(name)).hex() == value for name, value in listed["files"].items()))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Fault("edited", index)

def run(check, place, keys):
    result, code = {"ok": True, "kind": None, "first_bad": None, "size": None}, 0
    try:
        check(place, keys, result)
    except Fault as fault:
        result["ok"], result["kind"], result["first_bad"], code = False, *(*fault.args, None)[:2], 1
    except Exception as failure:  # whatever it is, nothing was verified
        print(f"could not check: {failure!r}", file=sys.stderr)
        result, code = dict.fromkeys(result) | {"ok": False}, 2
    print(json.dumps(result, separators=(",", ":")))
    return code

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["log", "bundle"])
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--key", action="append", required=True, type=read_key)
    options = parser.parse_args()
    sys.exit(max(run(globals()["verify_" + options.what], place, options.key) for place in options.places))
