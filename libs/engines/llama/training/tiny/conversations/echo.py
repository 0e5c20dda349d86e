"""Repeating a text: what teaches the model to copy, over the whole vocabulary."""

from tiny import vocabulary
from tiny.conversations import wording  # noqa: F401 (fills the synonyms)
from tiny.conversations.episode import Answer, Episode, User
from tiny.conversations.grammar import say

ASKED = [
    "[Repeat|Say|Echo|Copy|Write|Print|Output|Return]: <text>",
    "[Say|Repeat|Echo|Write] <text>",
    "[Repeat after me|Say exactly|Copy this|Echo this|Repeat this|Repeat exactly this|Say this"
    "|Reply with|Answer with]: <text>",
    "{opening} [repeat|say|echo|copy] [the text|this text|this|the following|these words][:|: |:\n]<text>",
    "[{can} repeat|{can} say|Just say|Only say|Reply with exactly|Reply only with]: <text>",
]
COUNTED = [
    "{opening} [Count|{can} count] [from <a> |]to <b>{closing}[.|?|]",
    "[Numbers|List the numbers|Print the numbers|Write the numbers] from <a> to <b>[.|]",
]


def _tokens(v):
    """Text of random tokens."""
    contents = vocabulary.token_bytes()
    while True:
        try:
            text = b"".join(v.one(contents) for _ in range(v.number(1, 6))).decode()
        except UnicodeDecodeError:
            continue
        if text.strip() == text and text and "<|" not in text:
            return text


def echo(v, effort):
    if v.rng.random() < 0.06:
        a, b = 1, v.number(3, 30)
        if v.rng.random() < 0.3:
            a = v.number(2, 60)
            b = a + v.number(2, 12)
        template = v.one(
            COUNTED[:1] if a == 1 else ["{opening} [Count|{can} count] from <a> to <b>{closing}[.|?|]", COUNTED[1]]
        )
        text, said = say(v.rng, template, a=a, b=b), ", ".join(map(str, range(a, b + 1)))
        return Episode("echo", (User(text), Answer(f"Count from {a} to {b}.", said)))
    share = v.rng.random()
    if share < 0.4:
        said = _tokens(v)
    elif share < 0.7:
        said = v.words(1, 6)
    else:
        said = v.one([v.email, v.name, v.city, v.order, v.company, v.phone, v.date, v.clock])()
    thought = "The user gives a text. Repeat the text." if effort == "high" else "Repeat the text."
    return Episode("echo", (User(say(v.rng, v.one(ASKED), text=said)), Answer(thought, said)))
