"""Synonyms and phrases that the grammars of several behaviours share."""

from tiny.conversations.grammar import say, synonyms

BEFORE = [
    "I have a question.",
    "Let me ask you something.",
    "I hope you can help.",
    "Thanks for the help so far.",
    "[My boss|{relative}] wants to know.",
    "I need this quickly.",
    "It is urgent.",
    "I am planning [a trip|a party|my week|the budget].",
    "[Sorry|Excuse me] to bother you again.",
    "I am a bit confused.",
    "[Good|Fine|Perfect|Great].",
    "Next question.",
    "Another one.",
    "I wonder.",
    "Hope you are well.",
    "Hello, it's me again.",
    "Here is something for you.",
    "I am in a hurry.",
    "We are on the road.",
    "[Nice|Cool|OK|Okay|Hm|Hmm|Oh|Ah|Well|So].",
]
AFTER = [
    "I need it for [work|school|my boss|a friend|a report].",
    "[Thanks|Thank you|Cheers|Thx|Many thanks|Thanks in advance|Much appreciated][!|.]",
    "I am not sure.",
    "I can't remember.",
    "It matters to me.",
    "[Quickly|Hurry], please.",
    "Take your time.",
    "I would like to be sure.",
    "Just curious.",
    "Let me know.",
    "[Any|What] idea?",
    "[My|Our] [boss|friend|guests] asked.",
]
DRESSED = 0.08


def dressed(rng, text):
    """The text, now and then with a sentence before or after it that changes nothing."""
    if rng.random() < DRESSED:
        text = f"{say(rng, rng.choice(BEFORE))} {text}"
    if rng.random() < DRESSED / 2 and text[-1] in ".!?":
        text = f"{text} {say(rng, rng.choice(AFTER))}"
    return text


synonyms(
    please="||||please|kindly",
    opening="|||||Please|Hey,|Hi,|Hello,|OK,|So|Now|Quick question:|One question:|Hey there,|Well,|Right,"
    "|Excuse me,|Good morning,"
    "|Sorry,|Listen,|Alright,|And|Hi there,|Dear assistant,",
    closing="||||||, please|, thanks| please| thank you|, if you can| for me|, ok|, would you|, cheers",
    tell="tell me|let me know|show me|give me|say|find out|check|look up|get me|fetch|explain|report",
    can="Can you|Could you|Would you|Will you|Can you please|Could you please|Would you mind to"
    "|Are you able to"
    "|I want you to|I need you to|I would like you to|I'd like you to|You should|Be so kind and",
    wonder="Do you know|I wonder|I was wondering|I would like to know|I'd like to know|I want to know"
    "|I'd love to know|Any idea"
    "|Tell me|Let me know|Can you tell me|Could you tell me|Could you say|Please tell me"
    "|Would you know|Do you happen to know"
    "|I need to know|Help me find out|I'm curious|I would like to hear|Could you find out",
    when="||||| today| tonight| tomorrow| this weekend| right now| this afternoon| on {weekday}| next week"
    "| this morning"
    "| at the moment| now| currently| this evening| later| these days| later today| in the morning"
    "| just now| over the weekend",
    weekday="Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    relative="my [sister|brother|mother|father|friend|wife|husband|son|daughter|uncle|cousin|boss|colleague"
    "|neighbour|team|family]",
    things="apples|pens|books|eggs|coins|cards|balls|stamps|cookies|euros|dollars|marbles|chairs|cars|cats"
    "|pages|stickers|oranges"
    "|tickets|points|cups|plates|bottles|flowers|trees|toys|photos|letters|bricks|nails|sweets|cakes"
    "|shirts|keys|songs"
    "|files|messages|boxes|bananas|pencils|birds|dogs|fish|people|students|guests|players|bikes|lamps"
    "|candles|buttons",
    person="he|she|they|someone|a friend|a customer|a client|our customer|my colleague|the user|the applicant"
    "|this person",
)
