"""Asks libllama, greedily, and prints how often the model is valid and right, by behaviour, as a Markdown table.

Values are known (trained on) or unknown (never trained on); the wordings are the generator's. Two sets are hand-written:
`paraphrase` by the generator's author before the grammars, `blind` by somebody who had seen neither grammars nor data.
Valid means that oss-harmony's strict parser reads the answer, that it ends in the proper stop token after a final
message or a call, and that a called function is declared.

    python -m tiny.evaluate model-f16.gguf model-q8_0.gguf --samples 200
"""

import argparse
import collections
import collections.abc
import dataclasses
import functools
import json
import pathlib
import random
import re

import openai_harmony

from tiny import vocabulary
from tiny.conversations import chat
from tiny.conversations.episode import Answer, Call, Result, User, compact
from tiny.conversations.mixture import render, sample
from tiny.conversations.render import Tool
from tiny.llama import Llama

SEED = 20261121
HISTORY = 0.15
HAND_WRITTEN = {"paraphrase": "paraphrases.json", "blind": "paraphrases_blind.json", "example": "examples.json"}
# Nobody tunes to what failed of these.
UNSEEN = ("paraphrase", "blind")
CHANNELS = ("analysis", "commentary", "final")
MAKERS = {
    "chat": "chat",
    "arithmetic": "arithmetic",
    "tool": "tool call",
    "extraction": "extraction",
    "echo": "echo",
    "no tool": "no tool",
    "loop": "two calls",
    "follow-up": "follow-up",
}
FROM_RESULT = "answer from result"
INTENTS = {**{intent: (said[0],) for intent, said in chat.INTENTS.items()}, "refusal": (chat.REFUSAL,)}


@dataclasses.dataclass(frozen=True)
class Case:
    behaviour: str
    prompt: list
    functions: frozenset
    right: collections.abc.Callable
    asked: str = ""


def reply(ids, functions):
    """The last message, when the whole answer is strictly valid; else None."""
    try:
        messages = vocabulary.ENCODING.parse_messages_from_completion_tokens(
            ids, openai_harmony.Role.ASSISTANT, strict=True
        )
    except openai_harmony.HarmonyError:
        return None
    if not messages or any(message.channel not in CHANNELS for message in messages):
        return None
    *before, last = messages
    if any(message.channel == "final" or message.recipient for message in before):
        return None
    if ids[-1] == vocabulary.RETURN:
        return last if last.channel == "final" and not last.recipient else None
    called = (last.recipient or "").removeprefix("functions.")
    return last if ids[-1] == vocabulary.CALL and last.channel == "commentary" and called in functions else None


def _json_equals(text, expected):
    try:
        return json.dumps(json.loads(text), sort_keys=True) == json.dumps(expected, sort_keys=True)
    except json.JSONDecodeError:
        return False


def _matches(expected, message):
    text = message.content[0].text if message.content else ""
    if isinstance(expected, Call):
        return message.recipient == f"functions.{expected.function}" and _json_equals(text, expected.arguments)
    return not message.recipient and text == expected.text


def generated(behaviour, known, count):
    """Cases of the generator, every step that the model makes by itself one."""
    rng = random.Random(f"{SEED} {behaviour} {known}")
    cases = collections.defaultdict(list)
    while len(cases[MAKERS[behaviour]]) < count:
        one = sample(rng, behaviour, known, full=1.0, history=HISTORY)
        for length, expected in one.steps:
            answers = behaviour == "tool" and isinstance(expected, Answer)
            name = FROM_RESULT if answers else MAKERS[behaviour]
            cases[name].append(Case(name, one.ids[:length], one.functions, functools.partial(_matches, expected)))
    return [case for name in cases for case in cases[name][:count]]


def _judged(case, message):
    """Whether the message is what a hand-written case asks for."""
    text = message.content[0].text if message.content else ""
    match case["behaviour"]:
        case "chat":
            return text in (INTENTS[case["intent"]] if "intent" in case else (case["text"],))
        case "arithmetic":
            return bool(re.search(rf"(?<![\d-]){case['result']}\.?$", text))
        case "tool":
            return _matches(Call(None, *case["call"]), message)
        case "answer":
            return not message.recipient and all(part in text for part in case["contains"])
        case "extraction":
            return _json_equals(text, case["object"])
    raise ValueError(case["behaviour"])


def _hand_written(case, declared):
    tools = [declared[name] for name in case.get("tools", ())]
    messages, form = [User(case["prompt"])], None
    if case["behaviour"] == "answer":
        messages += [Call(None, *case["call"]), Result(case["call"][0], case["result"])]
    if "keys" in case:
        properties = {key: {"type": kind} for key, kind in case["keys"].items()}
        form = ("record", compact({"type": "object", "properties": properties, "required": list(properties)}))
    right = functools.partial(_judged, case)
    return Case(
        case["behaviour"], render(messages, tools, form), frozenset(tool.name for tool in tools), right, case["prompt"]
    )


def hand_written(path):
    known = json.loads(path.read_text())
    tools = {}
    for name, tool in known["tools"].items():
        schema = tool["parameters"]
        tools[name] = Tool(tool["name"], tool["description"], schema["properties"], tuple(schema["required"]))
    return [_hand_written(case, tools) for case in known["cases"]]


@dataclasses.dataclass
class Score:
    count: int = 0
    valid: int = 0
    right: int = 0

    def __str__(self):
        return f"{self.right / self.count:6.1%} ({self.valid / self.count:.1%})" if self.count else "-"


def ask(llama, cases, failures=None):
    """Scores by behaviour."""
    scores = collections.defaultdict(Score)
    for case in cases:
        ids = llama.generate(case.prompt)
        message = reply(ids, case.functions)
        right = message is not None and case.right(message)
        score = scores[case.behaviour]
        score.count, score.valid, score.right = (
            score.count + 1,
            score.valid + (message is not None),
            score.right + right,
        )
        if failures is not None and not right:
            print(
                f"{case.behaviour}: {case.asked or vocabulary.decode(case.prompt[-60:])}\n    {vocabulary.decode(ids)}",
                file=failures,
            )
    return scores


def table(names, scored):
    """Rows by behaviour and values; each model has a column: the share that is right, and in brackets that is valid."""
    print(f"| behaviour | values | n | {' | '.join(names)} |\n|---|---|---|{'---|' * len(names)}")
    for values in next(iter(scored.values())):
        behaviours = next(iter(scored.values()))[values]
        for behaviour in behaviours:
            cells = [str(scored[name][values][behaviour]) for name in names]
            print(f"| {behaviour} | {values} | {behaviours[behaviour].count} | {' | '.join(cells)} |")
        totals = [
            Score(
                *(
                    sum(getattr(score, member) for score in scored[name][values].values())
                    for member in ("count", "valid", "right")
                )
            )
            for name in names
        ]
        print(f"| **all** | {values} | {totals[0].count} | {' | '.join(map(str, totals))} |", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+", type=pathlib.Path)
    options.add_argument(
        "--samples", type=int, default=200, help="of each behaviour, with known and with unknown values"
    )
    options.add_argument("--behaviours", default=",".join(MAKERS))
    options.add_argument(
        "--failures", type=argparse.FileType("w"), help="where to write what went wrong, without the paraphrases"
    )
    options.add_argument(
        "--paraphrase-failures", type=argparse.FileType("w"), help="look there only when the wordings are final"
    )
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    wanted = [name for name in chosen.behaviours.split(",") if name]
    sets = {
        values: [case for name in wanted for case in generated(name, values == "known", chosen.samples)]
        for values in ("known", "unknown")
    }
    sets |= {values: hand_written(pathlib.Path(__file__).with_name(name)) for values, name in HAND_WRITTEN.items()}
    scored = {}
    for path in chosen.models:
        with Llama(path, chosen.threads) as llama:
            scored[path.stem] = {
                values: ask(llama, cases, chosen.paraphrase_failures if values in UNSEEN else chosen.failures)
                for values, cases in sets.items()
            }
    table(list(scored), scored)


if __name__ == "__main__":
    main()
