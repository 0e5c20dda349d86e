"""Writes conversations as Harmony tokens, exactly as the worker's own renderer does (reference oss-harmony 0.0.11)."""

import dataclasses

from tiny.vocabulary import CALL, CHANNEL, CONSTRAIN, END, MESSAGE, RETURN, START, encode

IDENTITY = "You are ChatGPT, a large language model trained by OpenAI."
CHANNELS = "# Valid channels: analysis, commentary, final. Channel must be included for every message."
CALLS_GO = "\nCalls to these tools must go to the commentary channel: 'functions'."


@dataclasses.dataclass(frozen=True)
class Tool:
    """A declared function; `parameters` are the properties of its schema."""

    name: str
    description: str
    parameters: dict
    required: tuple


def system_text(effort, date, functions):
    dated = f"\nCurrent date: {date}" if date else ""
    return f"{IDENTITY}\nKnowledge cutoff: 2024-06{dated}\n\nReasoning: {effort}\n\n{CHANNELS}" + (
        CALLS_GO if functions else ""
    )


def developer_text(instructions=None, tools=(), response_format=None):
    """`response_format` is a pair of its name and its schema as JSON text."""
    sections = []
    if instructions:
        sections.append(f"# Instructions\n\n{instructions}")
    if tools:
        declared = "\n".join(map(_declaration, tools))
        sections.append(f"# Tools\n\n## functions\n\nnamespace functions {{\n\n{declared}\n}} // namespace functions")
    if response_format:
        name, schema = response_format
        sections.append(f"# Response Formats\n\n## {name}\n\n{schema}")
    return "\n\n".join(sections)


def _declaration(tool):
    lines = [f"// {tool.description}"] if tool.description else []
    if not tool.parameters:
        return "\n".join([*lines, f"type {tool.name} = () => any;\n"])
    lines.append(f"type {tool.name} = (_: {{")
    for name, schema in tool.parameters.items():
        if "description" in schema:
            lines.append(f"// {schema['description']}")
        lines.append(f"{name}{'' if name in tool.required else '?'}: {_type(schema)},")
    return "\n".join([*lines, "}) => any;\n"])


def _type(schema):
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    return "number" if schema["type"] == "integer" else schema["type"]


class Transcript:
    """The tokens of a conversation, and for each whether the model learns to say it."""

    def __init__(self):
        self.ids = []
        self.learned = []

    def _add(self, ids, learned=False):
        self.ids.extend(ids)
        self.learned.extend([learned] * len(ids))

    def _message(self, author, text):
        self._add([START, *encode(author), MESSAGE, *encode(text), END])

    def system(self, text):
        self._message("system", text)

    def developer(self, text):
        self._message("developer", text)

    def user(self, text):
        self._message("user", text)

    def result(self, function, text):
        header = [START, *encode(f"functions.{function}"), CHANNEL, *encode("commentary"), *encode(" to=assistant")]
        self._add([*header, MESSAGE, *encode(text), END])

    def assistant(self):
        """What every prompt ends in."""
        self._add([START, *encode("assistant")])

    def analysis(self, text, learned):
        """Reasoning, and the beginning of the message after it."""
        ids = [CHANNEL, *encode("analysis"), MESSAGE, *encode(text), END, START, *encode("assistant")]
        self._add(ids, learned)

    def final(self, text, learned):
        self._add([CHANNEL, *encode("final"), MESSAGE, *encode(text), RETURN if learned else END], learned)

    def call(self, function, arguments, learned):
        header = [CHANNEL, *encode("commentary"), *encode(f" to=functions.{function}"), *encode(" ")]
        self._add([*header, CONSTRAIN, *encode("json"), MESSAGE, *encode(arguments), CALL], learned)
