"""Parsed answers, with each client library that is installed here: each gets the values that the prompt states."""

import importlib.util
import os
import sys
from functools import partial

from openai import OpenAI
from outcomes import play_all
from pydantic import BaseModel
from stand_in import scripted

MODEL = os.environ["COUNTERPOINT_MODEL"]
URL = os.environ["COUNTERPOINT_URL"] + "/v1"
KEY = os.environ["COUNTERPOINT_API_KEY"]
QUESTION = "Book a table.\nname: Ada Lovelace\ncity: Paris\nguests: 3"
BOOKING = '{"name": "Ada Lovelace", "city": "Paris", "guests": 3}'
PROMPT = scripted(QUESTION, "say: " + BOOKING)
CALLING = scripted(QUESTION, "call: Booking " + BOOKING)
client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)


class Booking(BaseModel):
    name: str
    city: str
    guests: int


def openai_responses():
    return client.responses.parse(model=MODEL, input=PROMPT, text_format=Booking).output_parsed


def openai_chat():
    messages = [{"role": "user", "content": PROMPT}]
    answer = client.chat.completions.parse(model=MODEL, messages=messages, response_format=Booking)
    return answer.choices[0].message.parsed


def pydantic_ai_native():
    from pydantic_ai import Agent, NativeOutput
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIResponsesModel(MODEL, provider=OpenAIProvider(base_url=URL, api_key=KEY))
    return Agent(model, output_type=NativeOutput(Booking), retries=0).run_sync(PROMPT).output


def instructor_mode(name, prompt):
    def ask():
        import instructor

        wrapped = instructor.from_openai(client, mode=getattr(instructor.Mode, name))
        messages = [{"role": "user", "content": prompt}]
        return wrapped.chat.completions.create(model=MODEL, messages=messages, response_model=Booking, max_retries=0)

    return ask


def langchain_method(method, prompt):
    def ask():
        from langchain_openai import ChatOpenAI

        model = ChatOpenAI(model=MODEL, base_url=URL, api_key=KEY, max_retries=0)
        return model.with_structured_output(Booking, method=method).invoke([("system", "Answer in JSON."), ("human", prompt)])

    return ask


CLIENTS = {
    "openai": {"responses.parse": openai_responses, "chat.completions.parse": openai_chat},
    "pydantic_ai": {"NativeOutput": pydantic_ai_native},
    "instructor": {
        "TOOLS_STRICT": instructor_mode("TOOLS_STRICT", CALLING),
        "JSON": instructor_mode("JSON", PROMPT),
    },
    "langchain_openai": {
        "json_schema": langchain_method("json_schema", PROMPT),
        "json_mode": langchain_method("json_mode", PROMPT),
    },
}


def parsed(ask):
    # Some clients answer with a class of their own under this one.
    answer = ask()
    if answer.model_dump() != {"name": "Ada Lovelace", "city": "Paris", "guests": 3}:
        raise AssertionError(f"{answer!r}")


plays = {}
for package in [name for name in CLIENTS if name in sys.argv[1:]]:
    if importlib.util.find_spec(package) is None:
        raise SystemExit(f"{package} is not installed")
    for how, ask in CLIENTS[package].items():
        plays[f"{package} (Python), {how}"] = partial(parsed, ask)
sys.exit(play_all(plays))
