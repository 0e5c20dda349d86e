"""The o200k_harmony vocabulary, and the fixed code of every id: the part of the model that is not learned."""

import functools
import hashlib

import numpy as np
import openai_harmony

SIZE = 201_088
TEXT = 199_998
RETURN, CONSTRAIN, CHANNEL, START, END, MESSAGE, CALL = 200002, 200003, 200005, 200006, 200007, 200008, 200012
PADDING = 199_999
CODE = 64
HASHED = 60
SPECIALS = {
    199998: "<|startoftext|>",
    199999: "<|endoftext|>",
    RETURN: "<|return|>",
    CONSTRAIN: "<|constrain|>",
    CHANNEL: "<|channel|>",
    START: "<|start|>",
    END: "<|end|>",
    MESSAGE: "<|message|>",
    CALL: "<|call|>",
}

ENCODING = openai_harmony.load_harmony_encoding(openai_harmony.HarmonyEncodingName.HARMONY_GPT_OSS)


@functools.lru_cache(maxsize=200_000)
def encode(text):
    """The text's ids; what spells a control token stays text."""
    return tuple(ENCODING.encode(text, disallowed_special=()))


def decode(ids):
    return ENCODING.decode(list(ids))


@functools.cache
def token_bytes():
    """The bytes of the text ids, in order."""
    return [bytes(ENCODING._inner.decode_bytes([token])) for token in range(TEXT)]


def special_name(token):
    return SPECIALS.get(token, f"<|reserved_{token}|>")


def _bits(data):
    return np.unpackbits(np.frombuffer(hashlib.sha256(data).digest()[:8], np.uint8)).astype(np.float32) * 2 - 1


def _number_bits(digits):
    """Numbers share bits by digit, so that arithmetic can see them: 24 of units, 24 of tens, 12 of hundreds."""
    places = [int(digit) for digit in digits.decode()][::-1] + [10, 10]
    units, tens, hundreds = (_bits(b"%c%d" % (name, place)) for name, place in zip(b"UTH", places))
    return np.concatenate([units[:24], tens[:24], hundreds[:12], np.zeros(4, np.float32)])


def code(token, content):
    """64 numbers, each +1 or -1: 60 of a hash of the text without its leading blank, then four traits of it.

    Control tokens have hashed bits of their id and no traits (0).
    """
    if token >= TEXT:
        bits = _bits(b"<special>%d" % token)
        bits[HASHED:] = 0
        return bits
    blank = content[:1] == b" " and len(content) > 1
    body = content[1:] if blank else content
    bits = _number_bits(body) if body.isdigit() else _bits(body)
    traits = (blank, body[:1].isupper(), body.isdigit(), body.isalpha())
    bits[HASHED:] = [1 if trait else -1 for trait in traits]
    return bits


@functools.cache
def codes():
    """The codes of all ids, SIZE x CODE."""
    contents = token_bytes()
    return np.stack([code(token, contents[token] if token < TEXT else b"") for token in range(SIZE)])


@functools.cache
def merges():
    """The two parts of every token that is a merge, in the order of their ranks."""
    contents = token_bytes()
    rank = {content: token for token, content in enumerate(contents)}
    return [_parts(content, token, rank) for token, content in enumerate(contents) if len(content) > 1]


def _parts(content, token, rank):
    parts = [content[i : i + 1] for i in range(len(content))]
    while len(parts) > 2:
        candidates = [(rank.get(parts[i] + parts[i + 1], token), i) for i in range(len(parts) - 1)]
        best, at = min(candidates)
        if best == token:
            raise ValueError(f"token {token} is not a merge of lower ones")
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts[0], parts[1]
