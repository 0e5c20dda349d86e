"""A tool round trip and a second turn with the official package: Responses, then Chat Completions."""

import json
import os

from openai import OpenAI
from stand_in import checked, scripted

model = os.environ["COUNTERPOINT_MODEL"]
client = OpenAI(base_url=os.environ["COUNTERPOINT_URL"] + "/v1", api_key=os.environ["COUNTERPOINT_API_KEY"])
parameters = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
question = scripted("What is the weather in Paris?", 'call: get_weather {"city": "Paris"}')


def get_weather(city: str) -> str:
    return json.dumps({"city": city, "temperature_celsius": 21, "sky": "sunny"})


print("== Responses")
tools = [{
    "type": "function",
    "name": "get_weather",
    "description": "Current weather of a city",
    "parameters": parameters,
    "strict": True,
}]
# Small models need to be told that the tool comes first.
first = client.responses.create(model=model, input=question, tools=tools, tool_choice="required")
call = next(item for item in first.output if item.type == "function_call")
print("the model calls:", call.name, call.arguments)

result = {"type": "function_call_output", "call_id": call.call_id, "output": get_weather(**json.loads(call.arguments))}
with client.responses.stream(model=model, tools=tools, previous_response_id=first.id, input=[result]) as stream:
    for event in stream:
        if event.type == "response.output_text.delta":
            print(event.delta, end="", flush=True)
    answer = stream.get_final_response()
print()

second = client.responses.create(model=model, previous_response_id=answer.id, input="How many letters are in Paris?")
print("second turn:", second.output_text)

print("== Chat Completions")
chat_tools = [{
    "type": "function",
    "function": {"name": "get_weather", "description": "Current weather of a city", "parameters": parameters, "strict": True},
}]
messages = [{"role": "user", "content": question}]
turn = client.chat.completions.create(model=model, messages=messages, tools=chat_tools, tool_choice="required")
message = turn.choices[0].message
chat_call = message.tool_calls[0]
print("the model calls:", chat_call.function.name, chat_call.function.arguments)
messages += [
    message,
    {"role": "tool", "tool_call_id": chat_call.id, "content": get_weather(**json.loads(chat_call.function.arguments))},
]
text = ""
for chunk in client.chat.completions.create(model=model, messages=messages, tools=chat_tools, stream=True):
    delta = (chunk.choices[0].delta.content or "") if chunk.choices else ""
    text += delta
    print(delta, end="", flush=True)
print()
assert not checked or "21" in answer.output_text and "21" in text, "an answer does not use the result of the tool"
