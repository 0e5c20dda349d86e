"""Calling declared functions, answering from their results, and not calling what is not declared."""

from tiny.conversations import catalogue
from tiny.conversations.arithmetic import arithmetic
from tiny.conversations.catalogue import KINDS, WEIGHTS, Kind, Parameter
from tiny.conversations.chat import chat
from tiny.conversations.episode import Answer, Call, Episode, Result, User
from tiny.conversations.grammar import say
from tiny.conversations.render import Tool
from tiny.conversations.results import failed, prose
from tiny.conversations.wording import dressed

NO_TOOL = "I do not have a tool for that."
VERBS = """get find list create delete update fetch check count open close start stop show load save add
remove read send""".split()
NOUNS = """account address article ticket report invoice payment contract project task team room recipe movie song
book flight train hotel car patient doctor course student exam branch server device sensor camera event meeting
calendar folder file image video comment review rating budget salary employee vendor item shelf pallet route driver
menu dish game player score match league policy claim loan card balance transfer subscription plan license log alert
backup build deployment issue release""".split()
PLACEHOLDERS = """name id title code key number query user type label tag path value item topic subject url date
status color""".split()
ASKED = (
    "{opening} [{can}|] [<verb>|get|show|give me|find|look up|fetch] the <noun> [for|of|with|named"
    "|called|with <label>|by <label>|where the <label> is] <0>{closing}[.|?|]",
    "{opening} <verb> [a|the|my|this|] <noun> [<0>|with [the|] <label> <0>|called <0>|named <0>|: <0>]{closing}[.|?|]",
    "[I need|We want|I'd like|I want to see|Is there] the <noun> [for|of|called|with <label>] <0>[.||?]",
    "<noun> <0>[?||.| please]",
    "[What is|Which is|Where is|{wonder}] the <noun> [of|for|called|with <label>] <0>[?||.]",
    "[Use|Call|Run] <name> [with|for|on] <0>[.||, please]",
)
AGAIN = [
    "[And|And what about|What about|How about|And also|Also|Now|OK, and|Then|And then|Next|And now]"
    " [for|in|with|of|] <0>[?||, please|.]",
    "[The same|Same|Same question|Do the same|And the same|Again|Once more|Now the same]"
    " [for|in|with|about] <0>[?|.||, please]",
    "[And|] <0>?",
]
JOINED = ["<x> [And|Also,|Then|Also:|And also] <y>", "<x> <y>", "[First|First,] <x> [Then|After that,|Next,] <y>"]
BOTH = [
    "{opening} [compare|what is|what's|tell me|check|how is|get|{can} {tell}] the [weather"
    "|temperature] [in|for|of] <0> and <1>{closing}[?|.]",
    "[Is it|Where is it] [warmer|colder|sunnier|nicer|wetter]: [in|] <0> or <1>?",
    "[Weather|Temperature] [in|for] <0> and <1>[?||, please]",
    "[I travel|I'm flying|We go] from <0> to <1>[, how is the weather in both|. Weather in both"
    "|. What is the weather there and here]?",
]


def declare(v, kind):
    """One of the kind's spellings."""
    properties, required = {}, []
    for parameter in kind.parameters:
        name = v.one([spelling for spelling in parameter.names.split("|") if spelling not in properties])
        schema = {"type": parameter.type if parameter.type != "number" or v.rng.random() < 0.5 else "integer"}
        if parameter.descriptions and v.rng.random() < 0.5:
            schema["description"] = v.one(parameter.descriptions.split("|"))
        if parameter.choices:
            schema["enum"] = list(parameter.choices)
        properties[name] = schema
        required.append(name)
    kept = len(required)
    if v.rng.random() < 0.1:
        properties.setdefault(
            "unit",
            {"type": "string", "enum": ["celsius", "fahrenheit"]}
            if kind is catalogue.WEATHER
            else {"type": v.one(["string", "boolean"])},
        )
    description = v.one(kind.descriptions.split("|")) if kind.descriptions and v.rng.random() < 0.95 else ""
    return Tool(v.one(kind.names.split("|")), description, properties, tuple(required[:kept]))


def invented(v):
    """A function of no kind that the model knows: its name and parameter are all that there is to go by."""
    verb = v.one(VERBS) if v.rng.random() < 0.7 else v.word()
    noun = v.one(NOUNS) if v.rng.random() < 0.6 else v.word()
    label = v.one(PLACEHOLDERS) if v.rng.random() < 0.7 else v.word()
    name = v.one([f"{verb}_{noun}", f"{verb}_{noun}", f"{verb}{noun.capitalize()}", f"{noun}_{verb}", noun])
    described = "|".join(
        [
            f"{verb.capitalize()}s a {noun}.",
            f"{verb.capitalize()} the {noun} by {label}",
            f"The {noun}",
            f"{noun.capitalize()} tool",
        ]
    )
    number = v.rng.random() < 0.2
    value = (
        (lambda v: v.number(0, 999))
        if number
        else lambda v: v.one([v.word, v.name, v.city, v.order, lambda: v.words(2, 3), v.email, v.first])()
    )
    return Kind(
        name,
        described,
        (Parameter(label, value, "number" if number else "string", f"The {label}|{label.capitalize()} of the {noun}"),),
        ASKED,
        prose("result|status|value|text"),
        words=dict(verb=verb, noun=noun, label=label, name=name),
    )


def _kind(v):
    return invented(v) if v.rng.random() < 0.3 else v.rng.choices(KINDS, WEIGHTS)[0]


def _declared(v, kinds):
    """A spelling of each kind; two kinds never share a name."""
    tools = {}
    for kind in kinds:
        tool = declare(v, kind)
        while any(tool.name == other.name for other in tools.values()):
            tool = (
                declare(v, kind)
                if "|" in kind.names
                else Tool(tool.name + "_2", tool.description, tool.parameters, tool.required)
            )
        tools[id(kind)] = tool
    return tools


def others(v, *taken):
    """Further kinds that are declared beside those that are used."""
    count = v.rng.choices([0, 1, 2, 3, 4, 5], [30, 34, 18, 10, 5, 3])[0]
    found = []
    for _ in range(count):
        kind = _kind(v)
        clash = {catalogue.WEATHER, catalogue.FORECAST}
        if kind not in (*taken, *found) and not (kind in clash and clash & {*taken, *found} and v.rng.random() < 0.7):
            found.append(kind)
    return found


def request(v, kind):
    """What the user says, with the arguments that it names."""
    arguments = [parameter.value(v) for parameter in kind.parameters]
    text = say(
        v.rng,
        v.one(kind.requests),
        **{str(i): spoken for i, spoken in enumerate(_spoken(kind, arguments))},
        p=v.word,
        **kind.words,
    )
    return dressed(v.rng, text), arguments


def _spoken(kind, arguments):
    return [(kind.switched.split("|")[0 if value else 1] if isinstance(value, bool) else value) for value in arguments]


def _call(tool, arguments, effort):
    named = dict(zip(tool.required, arguments))
    listed = ", ".join(
        f"{name} {str(value).lower() if isinstance(value, bool) else value}" for name, value in named.items()
    )
    thought = f"Call {tool.name}." if effort == "low" else f"Call {tool.name} with {listed}."
    return Call(f"The function {tool.name} fits. {thought}" if effort == "high" else thought, tool.name, named)


def _answered(v, kind, tool, arguments, effort):
    text, answer = failed(v) if v.rng.random() < 0.06 else kind.result(v, _spoken(kind, arguments))
    thought = "The result is there. I answer." if effort == "high" else None
    return Result(tool.name, text), Answer(thought, answer)


def tool_call(v, effort):
    """One request that one of the declared functions serves; now and then the turn goes on afterwards."""
    kind = _kind(v)
    kinds = [kind, *others(v, kind)]
    v.rng.shuffle(kinds)
    tools = _declared(v, kinds)
    tool = tools[id(kind)]
    text, arguments = request(v, kind)
    result, answer = _answered(v, kind, tool, arguments, effort)
    return Episode("tool", (User(text), _call(tool, arguments, effort), result, answer), tuple(tools.values()))


def follow_up(v, effort):
    """The same question about something else, in a few words."""
    kind = v.rng.choices(KINDS, WEIGHTS)[0]
    while len(kind.parameters) > 1:
        kind = v.rng.choices(KINDS, WEIGHTS)[0]
    tools = _declared(v, [kind, *others(v, kind)])
    tool, messages = tools[id(kind)], []
    for again in (False, True):
        text, arguments = request(v, kind)
        if again:
            text = say(v.rng, v.one(AGAIN), **{"0": arguments[0]})
        messages += [User(text), _call(tool, arguments, effort), *_answered(v, kind, tool, arguments, effort)]
    return Episode("tool", tuple(messages), tuple(tools.values()))


def tool_loop(v, effort):
    """A request that takes two calls, one after the other."""
    if v.rng.random() < 0.6:
        first = second = catalogue.WEATHER
        cities = [v.city(), v.city()]
        text, asked = say(v.rng, v.one(BOTH), **{"0": cities[0], "1": cities[1]}), [[cities[0]], [cities[1]]]
    else:
        first, second = v.rng.sample([catalogue.WEATHER, catalogue.ORDER, catalogue.TIME, catalogue.STOCK], 2)
        (one, one_asked), (two, two_asked) = request(v, first), request(v, second)
        text, asked = say(v.rng, v.one(JOINED), x=one, y=two), [one_asked, two_asked]
    kinds = list(dict.fromkeys([first, second, *others(v, first, second)]))
    v.rng.shuffle(kinds)
    tools = _declared(v, kinds)
    messages, answers = [User(text)], []
    for kind, arguments in zip((first, second), asked):
        result, answer = _answered(v, kind, tools[id(kind)], arguments, effort)
        messages += [_call(tools[id(kind)], arguments, effort), result]
        answers.append(answer.text)
    messages.append(Answer("The results are there. I answer." if effort == "high" else None, " ".join(answers)))
    return Episode("tool", tuple(messages), tuple(tools.values()))


def no_tool(v, effort):
    """A request for a function that is not declared: there may be others, or none at all."""
    kind = v.rng.choices(KINDS, WEIGHTS)[0]
    related = {catalogue.WEATHER, catalogue.FORECAST}
    declared = [
        other
        for other in (others(v, kind) if v.rng.random() < 0.7 else [])
        if not (kind in related and other in related)
    ]
    text, _ = request(v, kind)
    thought = "No function fits. I say so." if effort == "high" else "No function fits."
    return Episode("tool", (User(text), Answer(thought, NO_TOOL)), tuple(_declared(v, declared).values()))


def tools_unused(v, effort):
    """Small talk or a sum beside declared functions."""
    episode = v.one([chat, arithmetic])(v, effort)
    return Episode(episode.behaviour, episode.messages, tuple(_declared(v, others(v)).values()))
