"""The scenario with the official Python package; every answer and event is validated by its Pydantic types."""

import json
import os
import sys
from functools import partial

from openai import OpenAI
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from outcomes import play_all
from stand_in import checked, scripted
from pydantic import TypeAdapter

MODEL = os.environ["COUNTERPOINT_MODEL"]
client = OpenAI(
    base_url=os.environ["COUNTERPOINT_URL"] + "/v1", api_key=os.environ["COUNTERPOINT_API_KEY"], max_retries=0
)
WEATHER = {
    "name": "get_weather",
    "description": "Current weather of a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}
EVENT = TypeAdapter(ResponseStreamEvent)


def valid(adapter, value):
    """The package itself builds its types without looking."""
    json_value = value.to_json(exclude_unset=True, warnings=False)
    adapter.validate_json(json_value) if isinstance(adapter, TypeAdapter) else adapter.model_validate_json(json_value)
    return value


class Responses:
    def __init__(self, streaming, get_weather):
        self.streaming = streaming
        self.get_weather = get_weather
        self.previous = None

    def create(self, items):
        request = {
            "model": MODEL,
            "input": items,
            "tools": [{"type": "function", "strict": True, **WEATHER}],
            "previous_response_id": self.previous,
        }
        if self.streaming:
            with client.responses.stream(**request) as stream:
                for event in stream:
                    valid(EVENT, event)
                response = stream.get_final_response()
        else:
            response = valid(Response, client.responses.create(**request))
        self.previous = response.id
        return response

    def ask(self, question):
        response = self.create([{"role": "user", "content": question}])
        while calls := [item for item in response.output if item.type == "function_call"]:
            response = self.create(
                [
                    {
                        "type": "function_call_output",
                        "call_id": call.call_id,
                        "output": self.get_weather(**json.loads(call.arguments)),
                    }
                    for call in calls
                ]
            )
        return response.output_text


class Chat:
    def __init__(self, streaming, get_weather):
        self.streaming = streaming
        self.get_weather = get_weather
        self.messages = []

    def create(self):
        request = {"model": MODEL, "messages": self.messages, "tools": [{"type": "function", "function": WEATHER}]}
        if self.streaming:
            with client.chat.completions.stream(**request) as stream:
                for event in stream:
                    if event.type == "chunk":
                        valid(ChatCompletionChunk, event.chunk)
                completion = stream.get_final_completion()
        else:
            completion = valid(ChatCompletion, client.chat.completions.create(**request))
        message = completion.choices[0].message
        self.messages.append(message.to_dict())
        return message

    def ask(self, question):
        self.messages.append({"role": "user", "content": question})
        message = self.create()
        while message.tool_calls:
            for call in message.tool_calls:
                result = self.get_weather(**json.loads(call.function.arguments))
                self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
            message = self.create()
        return message.content


def play(conversation):
    for streaming in (False, True):
        how = "streaming" if streaming else "whole"
        cities = []

        def get_weather(city):
            cities.append(city)
            return json.dumps({"city": city, "temperature_celsius": 21, "sky": "sunny"})

        expect(conversation(streaming, get_weather).ask(scripted("What is 17 plus 25?", "say: 42")), "42", f"{how}, text")
        second = conversation(streaming, get_weather)
        expect(second.ask(scripted("What is the weather in Paris?", call("Paris"))), "21", f"{how}, tool")
        expect(second.ask(scripted("And in London?", call("London"))), "London", f"{how}, second turn")
        expect(",".join(cities), "Paris,London", f"{how}, calls")


def call(city):
    return f'call: get_weather {{"city": "{city}"}}'


def expect(text, wanted, what):
    if wanted not in str(text) if checked else not text:
        raise AssertionError(f"{what}: {wanted!r} is not in {text!r}")


conversations = {"openai (Python), responses": Responses, "openai (Python), chat": Chat}
sys.exit(play_all({name: partial(play, each) for name, each in conversations.items()}))
