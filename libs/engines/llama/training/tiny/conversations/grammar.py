"""Bracket grammars: `[a|b|]` chooses, `{name}` is a shared list of synonyms, `<slot>` is filled with a value."""

import functools
import re

SYNONYMS = {}


def synonyms(**lists):
    """Adds shared lists; each is written `a|b|c` and may use brackets itself."""
    SYNONYMS.update({name: parse(f"[{text}]") for name, text in lists.items()})


@functools.cache
def parse(text):
    """A sequence of literals (str), choices (list of sequences) and references (("synonym", name))."""
    sequence, position = _sequence(text, 0)
    if position != len(text):
        raise ValueError(f"unbalanced brackets in {text!r}")
    return sequence


def _sequence(text, position):
    parts = []
    while position < len(text) and text[position] not in "|]":
        if text[position] == "[":
            choices = []
            while text[position] != "]":
                choice, position = _sequence(text, position + 1)
                choices.append(choice)
            parts.append(choices)
            position += 1
        elif text[position] == "{":
            end = text.index("}", position)
            parts.append(("synonym", text[position + 1 : end]))
            position = end + 1
        else:
            end = re.compile(r"[\[\]|{]|$").search(text, position).start()
            parts.append(text[position:end])
            position = end
    return parts, position


def _expand(sequence, rng, out):
    for part in sequence:
        if isinstance(part, str):
            out.append(part)
        elif isinstance(part, list):
            _expand(rng.choice(part), rng, out)
        else:
            _expand(SYNONYMS[part[1]], rng, out)


def say(rng, template, **slots):
    """One sentence of the grammar. Values, or what draws them, enter last, so that tidying never changes them."""
    out = []
    _expand(parse(template), rng, out)
    text = re.sub(r" +([?!.,;])", r"\1", re.sub(r" {2,}", " ", "".join(out))).strip()
    if rng.random() < 0.85:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.06:
        text = re.sub(r"(^|>)([^<>]*)", lambda piece: piece[0].lower(), text)
    if rng.random() < 0.08:
        text = text.rstrip("?!.")
    return re.sub(r"<(\w+)>", lambda slot: _value(slots[slot[1]]), text)


def _value(value):
    return str(value() if callable(value) else value)
