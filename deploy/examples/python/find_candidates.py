"""A list on the screen that changes while the criteria of a function call arrive: run find_candidates"""

import os
import sys
from typing import Literal

from openai import OpenAI, pydantic_function_tool
from pydantic import BaseModel, Field
from stand_in import checked, scripted

CANDIDATES = [
    {"name": "Amara Okafor", "title": "ML Engineer", "location": "San Francisco"},
    {"name": "Ben Fischer", "title": "Data Scientist", "location": "New York"},
    {"name": "Greg Carlson", "title": "ML Engineer", "location": "San Francisco"},
    {"name": "Lin Wei", "title": "ML Engineer", "location": "Austin"},
    {"name": "Sofia Rossi", "title": "Researcher", "location": "San Francisco"},
]


class Criterion(BaseModel):
    field: Literal["name", "title", "location"]
    value: str


class FindCandidates(BaseModel):
    """Shows the candidates that meet all criteria."""

    criteria: list[Criterion] = Field(min_length=1, max_length=3)


def find(criteria: list[dict]) -> list[dict]:
    """Who meets the criteria, as far as these have come: a value may still be missing."""
    known = [(one["field"], one.get("value", "")) for one in criteria if one.get("field") in CANDIDATES[0]]
    return [who for who in CANDIDATES if all(value.lower() in who[field].lower() for field, value in known)]


def draw(found: list[dict], above: int = 0) -> None:
    """Draws the list; on a terminal over as many lines above."""
    rows = [f"{who['name']:14}{who['title']:16}{who['location']}" for who in found]
    print(f"\033[{above}A\033[J" if above and sys.stdout.isatty() else "", end="")
    print(f"{len(found)} of {len(CANDIDATES)} candidates", *rows, sep="\n", flush=True)


QUESTION = scripted(
    "Filter down to the candidates in San Francisco.",
    'call: find_candidates {"criteria": [{"field": "location", "value": "San Francisco"}]}',
)
client = OpenAI(base_url=os.environ["COUNTERPOINT_URL"] + "/v1", api_key=os.environ["COUNTERPOINT_API_KEY"])
shown = CANDIDATES
draw(shown)
with client.chat.completions.stream(
    model=os.environ["COUNTERPOINT_MODEL"],
    messages=[
        {"role": "system", "content": "You show candidates to recruiters, by the criteria that they name."},
        {"role": "user", "content": QUESTION},
    ],
    tools=[pydantic_function_tool(FindCandidates, name="find_candidates")],  # strict
    tool_choice={"type": "function", "function": {"name": "find_candidates"}},
) as stream:
    for event in stream:
        if event.type == "tool_calls.function.arguments.delta":
            found = find((event.parsed_arguments or {}).get("criteria", []))
            if found != shown:
                draw(found, above=len(shown) + 1)
                shown = found
    call = stream.get_final_completion().choices[0].message.tool_calls[0].function
print(call.name, call.arguments)
assert isinstance(call.parsed_arguments, FindCandidates)  # checked by Pydantic
assert not checked or [who["location"] for who in shown] == ["San Francisco"] * 3, "not the candidates that the question asks for"
