"""What a behaviour contributes to a conversation: a user's request and how the model meets it."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class User:
    text: str


@dataclasses.dataclass(frozen=True)
class Answer:
    """A final message with the analysis before it; without one the model answers at once."""

    analysis: str | None
    text: str


@dataclasses.dataclass(frozen=True)
class Call:
    analysis: str | None
    function: str
    arguments: dict

    @property
    def text(self):
        return compact(self.arguments)


@dataclasses.dataclass(frozen=True)
class Result:
    function: str
    text: str


@dataclasses.dataclass(frozen=True)
class Episode:
    behaviour: str
    messages: tuple
    tools: tuple = ()
    response_format: tuple | None = None


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
