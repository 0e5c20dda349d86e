"""Lets the oracle run ask an installed reference.

Standard input: a line with a number, then so many lines with one case each, again and again.
Standard output: a first line that says it is ready, then one answer per case, in order. All of it JSON.
"""

import json
import sys

from openai_harmony import HarmonyEncodingName, load_harmony_encoding, openai_harmony

encoding = load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)
native = encoding._inner


def render(case):
    config = {"auto_drop_analysis": case["drop"]}
    conversation = case["conversation"]
    try:
        if case["mode"] == "completion":
            return {"tokens": native.render_conversation_for_completion(conversation, case["next"], config)}
        if case["mode"] == "training":
            return {"tokens": native.render_conversation_for_training(conversation, config)}
        return {"tokens": native.render_conversation(conversation, config)}
    except ValueError as refusal:
        return {"refused": str(refusal)}
    except RuntimeError as error:
        return {"error": str(error)}


def encode(case):
    return {"tokens": encoding.encode(case["text"], disallowed_special=())}


def decode(case):
    try:
        return {"text": encoding.decode(case["tokens"])}
    except openai_harmony.HarmonyError as error:
        return {"error": str(error)}


def parse(case):
    parser = openai_harmony.PyStreamableParser(native, case["role"], case["strict"])
    states, deltas, errors = [], [], []
    before = None
    for at, token in enumerate(case["tokens"]):
        try:
            parser.process(token)
            delta = parser.last_content_delta
            if delta is not None:
                deltas.append([at, delta])
        except openai_harmony.HarmonyError as error:
            errors.append([at, str(error)])
        state = view(parser)
        if state != before:
            states.append([at, state])
            before = state
    if case["eos"]:
        try:
            parser.process_eos()
        except openai_harmony.HarmonyError as error:
            errors.append([len(case["tokens"]), str(error)])
    messages = [
        [m["role"], m.get("name"), m.get("channel"), m.get("recipient"), m.get("content_type"), m["content"]]
        for m in json.loads(parser.messages)
    ]
    return {"states": states, "deltas": deltas, "errors": errors, "messages": messages}


def view(parser):
    """State (E, H or C), role, channel, recipient and content type."""
    letter = parser.state[len('{"state":"'):][0]
    return [letter, parser.current_role, parser.current_channel, parser.current_recipient, parser.current_content_type]


def tools(case):
    config = openai_harmony.get_tool_namespace_config(case["name"])
    return config if isinstance(config, dict) else json.loads(config)


ANSWERS = {"render": render, "encode": encode, "decode": decode, "parse": parse, "tools": tools}

print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    cases = [json.loads(sys.stdin.readline()) for _ in range(int(line))]
    for case in cases:
        print(json.dumps(ANSWERS[case["kind"]](case)))
    sys.stdout.flush()
