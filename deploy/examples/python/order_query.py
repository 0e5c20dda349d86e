"""The same question with a strict function and with one that is not: run order_query"""

import json
import operator
import os
from typing import Literal

from openai import OpenAI, pydantic_function_tool
from pydantic import BaseModel, Field, ValidationError
from stand_in import scripted

ORDERS = [  # the database
    {"id": 1, "status": "delivered", "ordered_at": "2026-07-14", "shipped_at": "2026-07-16"},
    {"id": 2, "status": "delivered", "ordered_at": "2026-08-28", "shipped_at": "2026-08-31"},
    {"id": 3, "status": "delivered", "ordered_at": "2026-08-29", "shipped_at": "2026-09-02"},
    {"id": 4, "status": "shipped", "ordered_at": "2026-09-18", "shipped_at": "2026-09-20"},
]
# The question tempts to use >=.
QUESTION = scripted(
    "Query all orders that shipped on or after September 1.",
    'call: query {"table_name": "orders", "columns": ["id"], "conditions": '
    '[{"column": "shipped_at", "operator": ">", "value": "2026-08-31"}], "order_by": "asc"}',
)
OPERATORS = {"=": operator.eq, ">": operator.gt, "<": operator.lt, "!=": operator.ne}  # our database has no >=
Column = Literal["id", "status", "ordered_at", "shipped_at"]


class Condition(BaseModel):
    column: Column
    operator: Literal["=", ">", "<", "!="]
    value: str


class Query(BaseModel):
    """Queries the database of orders."""

    table_name: Literal["orders"]
    columns: list[Column] = Field(max_length=4)  # a small model may not end by itself
    conditions: list[Condition] = Field(max_length=4)
    order_by: Literal["asc", "desc"]


def run(query: Query) -> list[int]:
    def meets(order: dict, one: Condition) -> bool:
        return OPERATORS[one.operator](str(order[one.column]), one.value)

    return [order["id"] for order in ORDERS if all(meets(order, one) for one in query.conditions)]


client = OpenAI(base_url=os.environ["COUNTERPOINT_URL"] + "/v1", api_key=os.environ["COUNTERPOINT_API_KEY"])
strict = pydantic_function_tool(Query, name="query")
suggested = json.loads(json.dumps(strict))
suggested["function"]["strict"] = False
question = {
    "model": os.environ["COUNTERPOINT_MODEL"],
    "messages": [
        {"role": "system", "content": "You answer questions about orders. Today is 2026-10-01."},
        {"role": "user", "content": QUESTION},
    ],
    "tool_choice": {"type": "function", "function": {"name": "query"}},
    "max_completion_tokens": 1000,
}

print("== strict: false. The model is told the schema.")
call = client.chat.completions.create(**question, tools=[suggested]).choices[0].message.tool_calls[0]
print(call.function.arguments)
try:
    print("It fits, though nothing promised it. Orders:", run(Query.model_validate_json(call.function.arguments)))
except ValidationError as e:
    print("It does not fit:", *(f"{error['loc']}: {error['msg']}" for error in e.errors()), sep="\n  ")

print("== strict: true. The model is held to the schema.")
call = client.chat.completions.parse(**question, tools=[strict]).choices[0].message.tool_calls[0]
print(call.function.arguments)
query = call.function.parsed_arguments
assert isinstance(query, Query)  # checked by Pydantic
print("It fits, always. Orders:", run(query))
print("These are the orders asked for." if run(query) == [3, 4] else "These are not the orders asked for.")
