#!/usr/bin/env python3
"""Renders every template of a folder as transformers 5.24 does, and writes the texts to cases.json beside them.

usage: reference.py FOLDER

Needs jinja2 3.1.6 alone: the environment and the forms of messages below are those of transformers'
utils/chat_template_utils.py. Arguments of calls are given as objects, and as text where a template refuses that.
"""
import json
import pathlib
import sys
from datetime import datetime

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime(2026, 11, 8, 9, 5, 7)
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


def function(name, description, properties, required):
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def call(arguments, **fields):
    asked = {"name": "find_trains", "arguments": arguments}
    return {"role": "assistant", **fields, "tool_calls": [{"id": "call00001", "type": "function", "function": asked}]}


SYSTEM = {"role": "system", "content": "You help \"travellers\".\nWrite <b>short</b> & friendly answers."}
USER = {"role": "user", "content": "  How do I get from Zürich to 東京?  "}
ANSWER = {"role": "assistant", "content": "By train and ship — 21 days.\n"}
AGAIN = {"role": "user", "content": "And <faster>?"}
FINAL = {"role": "assistant", "content": "By plane, 12 hours."}
NESTED_TOOLS = [
    function("find_trains", "Finds trains & ships. It's \"live\".", {
        "route": {"type": "object", "description": "Where from (Zürich, 東京)", "properties": {
            "from": {"type": "string", "description": "City"},
            "country": {"type": "string", "enum": ["CH", "JP"]}}, "required": ["from"],
            "additionalProperties": {"type": "string"}},
        "days": {"type": "integer", "description": "Days at most", "minimum": 0, "maximum": 30, "default": 7},
        "via": {"type": "array", "items": {"type": "string"}, "description": "Cities between"}}, ["route"]),
    function("search", "Searches <the> web", {
        "query": {"type": "string", "description": "Words"},
        "limit": {"type": ["integer", "null"], "description": "Results at most"},
        "threshold": {"type": "number", "description": "Score", "minimum": 0.25},
        "strict": {"type": "boolean", "description": "Exact words", "default": False}}, ["query"])]
TOOLS = [
    function("find_trains", "Finds trains & ships. It's \"live\".", {
        "city": {"type": "string", "description": "Where from (Zürich, 東京)"},
        "days": {"type": "integer", "description": "Days at most"}}, ["city"]),
    function("search", "Searches <the> web", {
        "query": {"type": "string", "description": "Words"},
        "strict": {"type": "boolean", "description": "Exact words"}}, ["query"])]
ARGUMENTS = {"route": {"from": "Zürich", "country": "CH"}, "days": 2, "via": ["Wien", "l'Aquila"]}
TEXT = json.dumps(ARGUMENTS, ensure_ascii=False)
RESULT = {"role": "tool", "name": "find_trains", "tool_call_id": "call00001", "content": "{\"days\": 21, \"by\": \"<ship>\"}"}
THOUGHT = "The user is in a hurry.\nOne call is enough."

CONVERSATIONS = {
    "system and user": ([SYSTEM, USER], None, True),
    "two turns": ([SYSTEM, USER, ANSWER, AGAIN], None, True),
    "nested tools": ([SYSTEM, USER], NESTED_TOOLS, True),
    "tools": ([USER], TOOLS, True),
    "call and result": ([SYSTEM, USER, call(ARGUMENTS, content=""), RESULT], TOOLS, True),
    "call in text": ([SYSTEM, USER, call(TEXT, content=""), RESULT, FINAL, AGAIN], TOOLS, True),
    "call without content": ([USER, call(TEXT, content=None), RESULT], TOOLS, True),
    "reasoning": ([SYSTEM, USER, {**FINAL, "reasoning_content": THOUGHT}, AGAIN], None, True),
    "reasoning and call": ([USER, call(TEXT, content="", reasoning=THOUGHT), RESULT], TOOLS, True),
    "reasoning in the text": ([USER, {**FINAL, "content": f"<think>\n{THOUGHT}\n</think>\n\nBy plane."}, AGAIN], None, True),
    "user alone": ([USER], None, True),
    "no generation prompt": ([USER, ANSWER], None, False),
}


def message_form(message, as_text):
    """What transformers does with a message before a template sees it."""
    message = {key: value for key, value in message.items() if value is not None}
    reasoning = next((message[key] for key in ("reasoning_content", "thinking", "reasoning") if key in message), None)
    if reasoning is not None:
        message = {"thinking": reasoning, **message, "reasoning_content": reasoning}
    if "tool_calls" in message:
        message["tool_calls"] = [{**c, "function": call_form(c["function"], as_text)} for c in message["tool_calls"]]
    return message


def call_form(asked, as_text):
    arguments = asked["arguments"]
    if as_text and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    elif not as_text and isinstance(arguments, str):
        arguments = json.loads(arguments)
    return {**asked, "arguments": arguments}


def render(template, conversation):
    messages, tools, prompt = conversation
    refusal = None
    for as_text in (False, True):
        forms = [message_form(m, as_text) for m in json.loads(json.dumps(messages))]
        try:
            return {"text": template.render(messages=forms, tools=tools, documents=None, add_generation_prompt=prompt, **TOKENS)}
        except Exception as e:
            refusal = refusal or {"refusal": f"{type(e).__name__}: {e}"}
    return refusal


def main(folder):
    env, cases, unreadable = environment(), [], []
    for path in sorted(pathlib.Path(folder).glob("*.jinja")):
        source = path.read_text(encoding="utf-8")
        try:
            template = env.from_string(source)
        except Exception as e:
            unreadable.append(f"{path.stem} ({e})")
            continue
        # One rendering is enough where no message is read.
        for name, conversation in list(CONVERSATIONS.items())[: None if "messages" in source else 1]:
            cases.append({"template": path.stem, "conversation": name, **render(template, conversation)})
    conversations = {name: {"messages": m, "tools": t, "generation_prompt": p} for name, (m, t, p) in CONVERSATIONS.items()}
    head = f"Made by reference.py with jinja2 {jinja2.__version__} and the rules of transformers 5.24.0; do not edit."
    written = {"about": head, "now": NOW.isoformat(), "tokens": TOKENS, "conversations": conversations, "cases": cases}
    text = json.dumps(written, ensure_ascii=False, indent=1)
    pathlib.Path(folder, "cases.json").write_text(text + "\n", encoding="utf-8")
    refused = sum("refusal" in case for case in cases)
    print(f"{len(cases)} cases, of which the reference refuses {refused}; templates it cannot read: {unreadable or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1])
