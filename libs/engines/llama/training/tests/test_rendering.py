"""What the generator writes is, token for token, what oss-harmony renders."""

import json
import random

import pytest
from openai_harmony import (
    Author,
    Conversation,
    DeveloperContent,
    Message,
    ReasoningEffort,
    RenderConversationConfig,
    Role,
    SystemContent,
    ToolDescription,
)

from tiny import vocabulary
from tiny.conversations.episode import Answer, Call, Result, User
from tiny.conversations.mixture import MAKERS, render
from tiny.conversations.render import Transcript, developer_text, system_text
from tiny.conversations.values import Values

EFFORTS = {"low": ReasoningEffort.LOW, "medium": ReasoningEffort.MEDIUM, "high": ReasoningEffort.HIGH}


def _schema(tool):
    return {"type": "object", "properties": tool.parameters, "required": list(tool.required)}


def _message(message):
    match message:
        case User(text):
            return [Message.from_role_and_content(Role.USER, text)]
        case Result(function, text):
            author = Author.new(Role.TOOL, f"functions.{function}")
            return [
                Message.from_author_and_content(author, text).with_channel("commentary").with_recipient("assistant")
            ]
    reasoned = (
        []
        if message.analysis is None
        else [Message.from_role_and_content(Role.ASSISTANT, message.analysis).with_channel("analysis")]
    )
    said = Message.from_role_and_content(Role.ASSISTANT, message.text)
    if isinstance(message, Call):
        return [
            *reasoned,
            said.with_channel("commentary").with_recipient(f"functions.{message.function}").with_content_type("json"),
        ]
    return [*reasoned, said.with_channel("final")]


def _reference(episode, effort, date, instructions):
    """oss-harmony's tokens; it knows no response formats, so that their section is text of the instructions."""
    system = SystemContent.new().with_reasoning_effort(EFFORTS[effort]).with_conversation_start_date(date)
    messages = [Message.from_role_and_content(Role.SYSTEM, system)]
    if episode.tools or instructions:
        developer = DeveloperContent.new()
        if instructions:
            developer = developer.with_instructions(instructions)
        if episode.tools:
            developer = developer.with_function_tools(
                [ToolDescription.new(tool.name, tool.description, parameters=_schema(tool)) for tool in episode.tools]
            )
        messages.append(Message.from_role_and_content(Role.DEVELOPER, developer))
    for message in episode.messages[:-1]:
        messages += _message(message)
    config = RenderConversationConfig(auto_drop_analysis=False)
    return vocabulary.ENCODING.render_conversation_for_completion(
        Conversation.from_messages(messages), Role.ASSISTANT, config=config
    )


def _ours(episode, effort, date, instructions):
    out = Transcript()
    out.system(system_text(effort, date, bool(episode.tools)))
    if episode.tools or instructions:
        out.developer(developer_text(instructions, episode.tools))
    for message in episode.messages[:-1]:
        match message:
            case User(text):
                out.user(text)
            case Result(function, text):
                out.result(function, text)
            case _:
                out.assistant()
                if message.analysis is not None:
                    out.analysis(message.analysis, False)
                (
                    out.call(message.function, message.text, False)
                    if isinstance(message, Call)
                    else out.final(message.text, False)
                )
    out.assistant()
    return out.ids


@pytest.mark.parametrize("maker", [maker for maker, _ in MAKERS], ids=lambda maker: maker.__name__)
def test_prompts_are_those_of_the_reference(maker):
    rng = random.Random(maker.__name__)
    for _ in range(60):
        effort, date = rng.choice(list(EFFORTS)), rng.choice(["2026-11-21", None])
        episode = maker(Values(rng), effort)
        instructions = rng.choice([None, "Be brief."])
        ours, reference = _ours(episode, effort, date, instructions), _reference(episode, effort, date, instructions)
        assert ours == reference, f"{vocabulary.decode(ours)}\n---\n{vocabulary.decode(reference)}"


def test_what_is_learned_is_strictly_valid_and_closed_by_its_stop_token():
    rng = random.Random(3)
    for maker, _ in MAKERS:
        for _ in range(40):
            *before, last = maker(Values(rng), "medium").messages
            out = Transcript()
            out.assistant()
            start = len(out.ids)
            out.analysis("Done.", True)
            out.final(last.text, True)
            assert before and isinstance(last, Answer)
            assert out.ids[-1] == vocabulary.RETURN
            messages = vocabulary.ENCODING.parse_messages_from_completion_tokens(
                out.ids[start:], Role.ASSISTANT, strict=True
            )
            assert [(message.channel, message.content[0].text) for message in messages] == [
                ("analysis", "Done."),
                ("final", last.text),
            ]


def test_a_response_format_stands_last_in_the_developer_message():
    schema = json.dumps({"type": "object"})
    assert (
        developer_text("Be brief.", (), ("person", schema))
        == f"# Instructions\n\nBe brief.\n\n# Response Formats\n\n## person\n\n{schema}"
    )


def test_a_prompt_ends_where_the_model_goes_on():
    assert render([User("Hello")])[-2:] == [vocabulary.START, *vocabulary.encode("assistant")]
