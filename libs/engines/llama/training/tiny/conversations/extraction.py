"""JSON from text: the keys are named in the request, or by the response format."""

from tiny.conversations import wording  # noqa: F401 (fills the synonyms)
from tiny.conversations.episode import Answer, Episode, User, compact
from tiny.conversations.grammar import say, synonyms

synonyms(
    json="JSON|json|JSON object|JSON record|a JSON|a JSON object|a JSON record|JSON format|json object"
    "|valid JSON|a json|JSON document"
)
PERSON = [
    "<name> [lives in|is from|comes from|works in|is based in|moved to|stays in|was born in|resides in"
    "|is in|studies in|settled in|is at home in|has a house in"
    "|runs a [shop|bakery|bar|school|company|farm] in|calls from|now lives in|works as a [teacher"
    "|doctor|cook|driver|nurse|lawyer] in] <city>",
    "<name>, [who is based in|who lives in|from|of|located in|a resident of|now in|who works in"
    "|living in|at home in|who moved to] <city>",
    "In <city> [lives|works|we have|there is|we met|I met] <name>",
    "[We met|I met|I saw|Look for|Greet|Visit] <name> in <city>",
    "[Our|The|A|One|My|His|Their] [customer|client|colleague|friend|guest|partner|student|lawyer"
    "|doctor|neighbour|tenant|applicant|boss] <name> [lives in|is from|comes from|works in|is based in"
    "|wrote from|called from"
    "|rents a [flat|house|room] in] <city>",
    "<name> (<city>)",
    "<name>, <city>",
    "[The|A] [house|office|shop|room] in <city> [belongs to|was bought by|is owned by] <name>",
    "<city> is the home of <name>",
    "<name> [has <city> as home town|visited <city>|likes <city>|went to <city>]",
    "[Dear team|Hello|Hi|Hey|Good morning], [I am|I'm|my name is|this is|it is] <name>[ from| in| of"
    "|, living in] <city>",
]
NAMED = [
    "<name>",
    "[I am|I'm|My name is|This is|It is|Here is|Meet] <name>",
    "[Our|The|A|My] [customer|client|colleague|friend|guest|partner|contact] [is called|is named|is|:] <name>",
    "[New|Another] [lead|contact|customer|user|client|signup]: <name>",
    "<name> [called|signed up|wrote|visited us|applied|is our new colleague|asked for help|joined"
    "|wants a reply|placed an order|would like a reply|registered|says hello][ today| yesterday"
    "| this morning| on {weekday}|]",
    "[Contact|Ask|Invite|Call|Please call|Tell] <name>",
]
CLAUSES = {
    "email": [
        "[email|mail|Email|E-mail|address|e-mail|email address|contact]: <email>",
        "[write|reply|answer|mail|send mail] to <email>",
        "[uses|writes from|can be reached at|answers at|reads mail at|has the email|has the address"
        "|is reachable at|wrote from|signed up with|registered with|sent mail from"
        "|mails from|uses the address|gave us|prefers] <email>",
        "[his|her|their|the] [email|mail|address|email address|contact] is <email>",
        "(<email>)",
        "<<email>>",
        "reach [me|him|her|them] at <email>",
        "<email>",
        "you can [email|mail|write to] <email>",
        "[mail|email] <email>",
        "the mailbox [is|of this person is] <email>",
    ],
    "age": [
        "[is|aged|age|now|turned|just turned|who is] <age>[| years old| years of age]",
        "<age> years old",
        "[aged|age:|age] <age>",
        "[he|she] is <age>",
        "(<age>)",
        "will be <age> [soon|next week|in May]",
        "at the age of <age>",
        "<age>",
        "is <age> years of age",
        "[born|married|moved] <age> years ago",
        "was <age> [then|at that time|when it happened|last year]",
    ],
    "phone": [
        "[phone|tel|call|Phone|telephone|mobile|cell]: <phone>",
        "[phone|phone number|number] <phone>",
        "[his|her|the] [number|phone|phone number] is <phone>",
        "[call|ring|can be called at|can be phoned at] <phone>",
    ],
    "company": [
        "[works for|works at|is employed by|joined|represents|is with|runs|founded|left] <company>",
        "[company|employer|Company]: <company>",
        "[from|of|at] <company>",
        "[his|her] [company|employer] is <company>",
    ],
    "date": [
        "[joined|signed up|arrives|starts|was born|registered|comes|left|ordered] on <date>",
        "[date|Date|since|on]: <date>",
        "[since|from|on|until] <date>",
    ],
    "city": [
        "[city|City|town|location|Location]: <city>",
        "[lives in|based in|in|from|at home in|works in|currently in|now in|is from] <city>",
        "[his|her|the] [city|home|town] is <city>",
        "<city>",
        "[has a home|has a room in <city>]",
    ],
}
OTHER_LISTS = ("; ", ", ", "\n", " / ", " - ", " | ")
ORDERED = [
    "[Order|I want|Please send|We need|Send me|I'd like to order|Deliver|Buy]"
    " <quantity> <product> to <city>[.||, please]",
    "<name> [orders|ordered|bought|wants|needs|buys] <quantity> <product>[.||]",
    "<quantity> <product> for <name>[, | in ]<city>[.||]",
    "[The|A] <product> costs <price> [euros|dollars][.||]",
    "<name> paid <price> [euros|dollars] for [a|the] <product>[.||]",
    "[Product|Item]: <product>[, |; ][price|Price]: <price>",
    "[The|Our] <product> [is sold|sells] for <price>[.||]",
]
ASKED = [
    "{opening} [Extract|Get|Give me|Return|Produce|Make|Create|Build|Write|Output|Find|Pull out"
    "|Collect|Convert to|I want|I need|Please give me|Generate|Please convert to|Show|Prepare"
    "|{can} make|{can} produce|I'd like|Form] {json}"
    " [with|of|containing|for|with the fields|with keys|with the keys|having|holding|with fields"
    "|that has|with only|made of|with these fields:|listing] <keys>[| from| out of| for| based on"
    "| using] [this|the following|this text|this sentence|the line below|this line|this message"
    "|the text]: <text>",
    "{opening} [Extract|Get|Give me|Return|Produce|Find|Pull out|Collect|I need|I want|Please extract"
    "|Please find|Determine|Read|{can} extract|I'd like|Pick out] [the|] <keys> [as|in|into|to|as"
    "|and return|in the form of] {json}[| from| out of| for] [this|the following|this text"
    "|this sentence|the line below|this line|here]: <text>",
    "[From|In|Using|Based on|Out of|Given|Take] [the following|this|the next|the given] [line|text"
    "|sentence|message|note|mail|line of text] [produce|extract|get|make|build|return|create|find"
    "|give me|and produce|and return] [the|] <keys> [as|in|as a|into] [JSON|json]: <text>",
    "[Make|Create|Build|Return|Give|Write|Produce|Generate] {json} (<keys>) [out of|from|for|of|with|based on]: <text>",
    "<keys> [as|in|to|into] {json}[: |, please: | please. | - |\n]<text>",
    "{json} (<keys>): <text>",
    "<text>\n[Extract|Return|Give me|Get|Produce|Find|I need] [the|] <keys> [as|in] [JSON|json][.||, please.]",
    "<text> [Extract|Return|Give me|Get] [the|] <keys> [as|in] [JSON|json][.|]",
    "{opening} convert[ this|] [to|into] {json} [with keys|with|with fields|using the keys|keys"
    "|having][ the|] <keys>[ - |: |. |:\n]<quote><text><quote>",
    "[I want|I need|I would like|Give me] {json} (<keys>) [for this|for|from this|of this]: <text>",
    "[Fields|Keys|Wanted|Return JSON with|Output format JSON, fields]: <keys>[. |\n|; ][Text|Input"
    "|Sentence|Source]: <text>",
    "{opening} [turn|make|transform|change|{can} turn|put|parse] this [to|into] {json}[ with| having"
    "|. Fields:|. Keys:|, keys] <keys>[:|.] <text>",
    "{json} with <keys>, [here is the text|source|text]: <text>",
    "[Parse|Read|Analyse] [this|the text|the following] and [return|give|output] <keys> as [JSON|json]: <text>",
]
BARE = [
    "<text>",
    "<text>",
    "<text>",
    "[Text|Input|Message|Note|Mail]: <text>",
    "{opening} [extract|get|find|read|return] [the data|all fields|the fields|it] [from|in|of]: <text>",
    "[FYI|Note|Today|Hello|By the way|Hi all|Update], <text>",
]


def _list_keys(v, keys):
    keys = list(keys)
    if v.rng.random() < 0.1:
        return "/".join(keys)
    if len(keys) > 1 and v.rng.random() < 0.6:
        return ", ".join(keys[:-1]) + v.one([" and ", " and ", ", and "]) + keys[-1]
    return ", ".join(keys)


def _person(v):
    name = v.name() if v.rng.random() < 0.85 else v.first()
    return {
        "name": name,
        "email": v.email(name if v.rng.random() < 0.7 else None),
        "city": v.city(),
        "age": v.number(1, 99),
        "phone": v.phone(),
        "company": v.company(),
        "date": v.date(),
    }


def _text(v):
    """A text about a person or a purchase, and what it says."""
    if v.rng.random() < 0.12:
        facts = {
            "name": v.name(),
            "quantity": v.number(2, 99),
            "product": v.one(["book", "lamp", "chair", "phone", "shirt", "cup"]) if v.rng.random() < 0.6 else v.word(),
            "price": v.number(1, 999),
            "city": v.city(),
        }
        template = v.one(ORDERED)
        return say(v.rng, template, **facts), {key: facts[key] for key in facts if f"<{key}>" in template}
    person = _person(v)
    first, *further = v.rng.sample([key for key in person if key != "name"], v.rng.choices([1, 2, 3], [50, 38, 12])[0])
    if v.rng.random() < 0.5:
        first = v.one(["email", "city"])
        further = [key for key in further if key != first]
    if v.rng.random() < 0.1:
        said = ["name", first, *further]
        v.rng.shuffle(said)
        title = v.one([str.capitalize, str.lower, str.capitalize])
        return v.one(OTHER_LISTS).join(f"{title(key)}: {person[key]}" for key in said), {
            key: person[key] for key in ("name", first, *further)
        }
    if first == "city":
        parts = [say(v.rng, v.one(PERSON), **person)]
    else:
        parts = [say(v.rng, v.one(NAMED), **person), _clause(v, first, person)]
    parts += [_clause(v, key, person) for key in further]
    if len(parts) > 1 and v.rng.random() < 0.08:
        parts = [parts[1], parts[0], *parts[2:]]
    text = parts[0]
    for part in parts[1:]:
        text += (
            ("" if part[0] in "(<" else v.one([",", ",", " and", ";", ".", ",", ", who", " -", "", ": "])).rstrip()
            + " "
            + part
        )
    return text + v.one([".", ".", ".", "", "!"]), {key: person[key] for key in ("name", first, *further)}


def _clause(v, key, person):
    template = v.one(CLAUSES[key])
    if template == "<<email>>":
        return f"<{person['email']}>"
    text = say(v.rng, template, **person)
    return text[0].lower() + text[1:] if not template.startswith("<") else text


def _schema(v, keys, types):
    properties = {}
    for key in keys:
        properties[key] = {"type": types[key]}
        if v.rng.random() < 0.06:
            properties[key]["description"] = f"The {key}"
    schema = {"type": "object", "properties": properties, "required": list(keys)}
    if v.rng.random() < 0.6:
        schema["additionalProperties"] = False
    return compact(schema)


def extraction(v, effort):
    text, facts = _text(v)
    keys = list(facts)
    if len(keys) > 1 and v.rng.random() < 0.35:
        keys = v.rng.sample(keys, v.number(1, len(keys) - 1))
    if v.rng.random() < 0.25:
        v.rng.shuffle(keys)
    wanted = {key: facts[key] for key in keys}
    listed = ", ".join(keys)
    thought = {"low": "Extract.", "medium": f"Extract {listed}.", "high": f"The user wants JSON. Extract {listed}."}[
        effort
    ]
    answer = Answer(thought, compact(wanted))
    if v.rng.random() < 0.5:
        types = {
            key: "string" if isinstance(facts[key], str) else v.one(["integer", "integer", "number"]) for key in keys
        }
        name = v.one(
            [
                "person",
                "contact",
                "response",
                "output",
                "result",
                "data",
                "record",
                "extraction",
                "customer",
                "answer",
                v.word(),
            ]
        )
        return Episode(
            "extraction", (User(say(v.rng, v.one(BARE), text=text)), answer), (), (name, _schema(v, keys, types))
        )
    said = say(v.rng, v.one(ASKED), keys=_list_keys(v, keys), text=text, quote=v.one(["", '"', "'"]))
    return Episode("extraction", (User(said), answer))
