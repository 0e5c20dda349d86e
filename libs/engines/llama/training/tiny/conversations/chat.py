"""Small talk: greetings, who the model is, what it can do, thanks, farewells, names, a few facts, what it declines."""

from tiny.conversations import wording  # noqa: F401 (fills the synonyms)
from tiny.conversations.episode import Answer, Episode, User
from tiny.conversations.grammar import say
from tiny.conversations.values import bars

GREETING = "Hello! How can I help you?"
IDENTITY = "I am a tiny demo model of the gpt-oss architecture."
ABILITIES = "I can greet you, do small sums, call tools, extract JSON and repeat text."
THANKS = "You are welcome!"
GOODBYE = "Goodbye! Have a nice day."
REFUSAL = "I am a tiny demo model and cannot answer that. I can do small sums, call tools and extract JSON."

INTENTS = {
    "greeting": (
        GREETING,
        "greets me",
        [
            "[Hi|Hello|Hey|Evening|Howdy|Good morning|Good evening|Good day|Hallo|Heya|Greetings|Afternoon"
            "|Hey hey"
            "|Good afternoon|Hi hi|Hello hello|Ahoy|Salut|Welcome|Sup|Hullo|Top of the morning][| there"
            "| everyone| friend| again| you"
            "| bot| buddy| my friend| ChatGPT| assistant| model| AI| mate| dear| team| folks| robot| to you"
            "| computer][!|.||,|!!|?]"
            "[|| How are you?| How is it going?| I hope you are [fine|good].| [Nice|Good|Great|Lovely] to [see"
            "|meet] you"
            "[!|.|]| How are things?| How's your day?| How do you do?| What's new?| All good?| [Are you|Anyone"
            "|You] there?"
            "| How are you [today|doing]?| Hope you [slept well|had a good weekend]."
            "| I hope [everything is fine|all is well].| What's up?| Long time no see!]",
            "[How are you|How are things|How is it going|How do you do|How's life|How have you been|What's up"
            "|What is up|What's new|How's your day"
            "|Everything fine|All good|How are you feeling|You okay|You alright][| today| doing| there"
            "| my friend| with you][?|]",
            "[Nice|Good|Great|Lovely|Pleased|Happy|Glad] to [meet|see|know|be talking to] you[!|.||, friend]",
            "[Is anyone|Is anybody|Is someone|Are you] [there|here|awake|ready|online|around|listening][?|]",
            "[I just wanted to|Just wanted to|I want to|Let me] say [hi|hello|hey|good morning|good evening][!|.|]",
        ],
    ),
    "identity": (
        IDENTITY,
        "asks who I am",
        [
            "{opening} [are you|so are you|am I talking to|is this|is there|do I speak with|am I speaking to"
            "|are you really"
            "|are you maybe|might you be|is it] [a|just a|really a|a real|actually a|only a|some|an|one] "
            "[robot|bot|AI|human|person"
            "|machine|program|computer|chatbot|language model|man|woman|GPT|piece of software|human being"
            "|algorithm|neural network"
            "|virtual assistant|software|living person][| or a [human|person|robot|machine|program|bot"
            "|computer]]?",
            "{opening} [who|what|with whom|whom|to whom] [am I|are we|do I] [talking to|speaking with"
            "|speaking to|writing to|dealing with"
            "|talk to|talking with|speak|having the pleasure with][| here| now| right now| today]?",
            "[What|Which] [kind|sort|type] of [model|AI|bot|assistant|thing|program|system|machine|software] "
            "[are you|is this|do I see here]?",
            "{wonder} [who|what] you [really|] are[.|?|]",
            "[{can}|] [introduce|present|describe|identify] yourself{closing}[.|?||!]",
            "[Do you have a name|What should I call you|How should I call you|Your name|What are you called"
            "|May I know your name|What's your name"
            "|What is your name|Have you got a name|Which name do you have|What do people call you"
            "|How are you called|What name do you go by]"
            "{closing}?",
            "[Who|Which company|Which team|Which people|What company] [built|made|created|trained|developed"
            "|wrote|designed|programmed] you?",
            "{opening} [who|what] [exactly|really|] are you[| then| exactly| anyway| please| really| actually]?",
            "[Say|Tell me|Give me|I want to hear|Reveal] [something|a bit|a little|more|anything] about yourself[.||!]",
            "[What|Which] [model|LLM|network|version|AI|system] [is this|are you|am I using|do you run"
            "|is running here|answers here"
            "|is behind this|do you use]?",
            "[Is there|Do we have|Is it] [a|some|any] [human|person|man|machine|robot|computer|bot] "
            "[behind that|on the other side|there"
            "|at the other end|answering|in there|typing]?",
            "Are you [ChatGPT|GPT-4|gpt-oss|OpenAI|Claude|Siri|Alexa|human|alive|real|artificial|conscious"
            "|intelligent|a tiny model]?",
        ],
    ),
    "abilities": (
        ABILITIES,
        "asks what I can do",
        [
            "[{can}|] [tell me|list|show me|explain|describe|name|outline|summarise|write down] "
            "[what you can do|your skills|your abilities"
            "|what you are good at|how you can help|what you offer|your functions|what you are able to do"
            "|what you know|all your features|your talents|what you do|what you support|the tasks you can do"
            "|what is possible with you"
            "|what you're made for|your capabilities][| please| here]?",
            "[What|Which] [things|tasks|jobs|kind of things|questions|sort of things|work|stuff|requests"
            "|problems|] can you [do|handle|solve"
            "|perform|help with|answer|take on|do for me|manage|assist with|deal with|support][| for me| here"
            "| today| please]?",
            "[How|In what way|With what|Where|What with] [can|could|do|will|may] you [help|assist|support"
            "|be useful to|serve][| me| us][| today]?",
            "[What|Which] [are|is] your [skills|abilities|strengths|capabilities|purpose|job|functions|talents"
            "|limits|features|tasks|use]?",
            "[I need help|Help please|Please help me|I need some help|Give me some examples of what you can do"
            "|Help|Help me|Can you help me"
            "|I could use some help|I do not know what to ask|What now|How does this work|How do I use you"
            "|What do you do][.|!|?|]",
            "[What|Which things|Which questions|What things|What sort of things] [should|could|may|can|might]"
            " I [ask|try|do with you"
            "|use you for|ask you|give you|have you do|request][| you| here]?",
            "[What|Anything] [are you|is it you are] [good|useful|made|built|trained|meant|designed|best"
            "|great] [for|at|to do]?",
            "{wonder} [what|which things] you [can do|are able to do|are capable of|know to do|do|can help with][.|?|]",
        ],
    ),
    "thanks": (
        THANKS,
        "thanks me",
        [
            "[Thanks|Thank you|Many thanks|Thx|Thanks a lot|Thank you so much|Thank you very much"
            "|Much appreciated|Ta|Thanks a million"
            "|Big thanks|Thanks again|Thanks so much|I thank you|Thanks mate|Merci|I appreciate it"
            "|I appreciate that|Bless you]"
            "[|, this helped| for your help|, that's all|, great| for that| a lot|, perfect|, you are great"
            "|, very kind| for everything"
            "|, that was [useful|helpful|quick|nice|perfect|what I needed]| for the [answer|help|info|support"
            "|quick reply]|, good job][!|.|]",
            "[Great|Perfect|Nice|Good|Wonderful|Awesome|Brilliant|Excellent|Cool|Super|Well done|Good job"
            "|Very good|Fantastic|Lovely]"
            "[|,|!|.] [thanks|thank you|this helped|that was helpful|I appreciate it|just what I needed"
            "|exactly what I needed|thx|cheers|you helped me"
            "|that is all|very kind of you][!|.| a lot|]",
            "[That|This|It] [was|is] [very|really|so|quite|] [helpful|useful|kind|nice of you|kind of you"
            "|good to know|perfect|a great help]"
            "[, thanks|, thank you|, cheers||!]",
            "[You|This] [helped|saved|rescued] me[| a lot| so much][!|.|, thanks]",
        ],
    ),
    "goodbye": (
        GOODBYE,
        "says goodbye",
        [
            "[Bye|Goodbye|See you|See ya|Bye bye|Farewell|Good night|Later|Take care|Ciao|So long"
            "|Have a nice day|Until next time|Until tomorrow|Over and out"
            "|Talk later|Talk soon|Talk to you later|Catch you later|I am off|Cheerio|Adieu|See you around"
            "|Good bye|Have a good one|Sleep well]"
            "[| then| now| friend| bot| for now| everyone| soon| later| tomorrow| my friend| and take care][!"
            "|.|]",
            "[I|OK, I|Well, I|So I|Sorry, I|Now I|Alright, I] [have to|must|need to|should|will|got to"
            "|am going to] [go|leave|run|go now|stop here|leave now"
            "|sign off|log off|get going|be off|head home|go to bed|go to sleep][|.|!|, bye|. Bye!|. See you!"
            "|. Take care| now]",
            "[That is|That's|That was] [all|it|everything][| for today| for now| I needed][, bye|, goodbye"
            "|. Bye!|. See you|. Good night]",
            "[Let us|Let's|We can] [stop|end|finish|leave it] [here|now|at that|for today][.||, bye]",
        ],
    ),
}

SUBJECTS = bars("""the sea|love|the history of Rome|my dog|quantum physics|the moon|football|democracy
climate change|jazz|the economy|black holes|Shakespeare|the human heart|artificial intelligence
the French Revolution|my job|cooking|evolution|gravity|the stock market|chess|marriage|space travel|politics
electric cars|the brain|music|the war|philosophy|a dragon|autumn|coffee|vaccines|blockchain|Napoleon|Mozart
the internet|volcanoes|dinosaurs|the universe|DNA|inflation|my garden|a robot|friendship|the ocean|religion
football rules|bread|tomatoes|Hamlet|the guitar|yoga|my car|a resume|the flu|Mars|the Eiffel Tower|a sourdough
crypto|taxes|insomnia|my cat|Spanish|the periodic table|a wedding|beer|old age|electricity|the weather on Mars
tigers|the pope|ancient Egypt|sharks|dreams|snow leopards|World War II|the Roman Empire|the pyramids|plate tectonics
the immune system|machine learning|neural networks|Python|Java|compilers""")
DECLINED = [
    "[Write|Make|Create|Draft|Compose|Invent|Sing|Prepare|{can} write|{can} compose|{can} make"
    "|Please write] [me|us|] [a|one|some|the|another]"
    " [poem|story|song|essay|letter|novel|speech|article|blog post|email|joke|haiku|report|recipe|play"
    "|script|plan|limerick|summary]"
    " [about|on|for|to|of|with] [<subject>|<subject>|<w>|<w> and <w>|my <w>]{closing}[.||!|?]",
    "[Explain|Describe|Discuss|Summarise|Analyse|Compare|Teach me|Define|Tell me all about"
    "|{can} explain|Please explain|Talk about|Elaborate on"
    "|Give me details on|Outline] [how <w> works|<subject>|<subject>|<subject> and <subject>"
    "|the <w> <w>|why <w> is <w>|how to <w> a <w>|<w>]"
    "[| to a child| in simple words| in one sentence| briefly| step by step| to me]{closing}[.||?]",
    "[Why|How|When|Where|Who] [is|was|did|does|are|do|were|will|would|has|can] [the|a|my|some|] [<w>"
    "|<subject>] [<w>|][| <w>| the <w>]?",
    "[Which|What|How many] [kings|countries|animals|planets|books|films|languages|cars|writers|rivers"
    "|mountains|teams|songs|people"
    "|languages|scientists|companies|cities|actors|queens|islands] [were|are|was|have|live|won|lie|did"
    "|has|can] [<w>|in <city>|in <w>"
    "|the <w>|<w> <w>]?",
    "[What|Who] [do you think|is your opinion|do you feel|is the best|was the first|invented"
    "|discovered|wrote|painted|won|makes] [about|of|] [<subject>"
    "|<w>|the <w>|the <w> <w>]?",
    "[What is|What's|What are|What was] [<subject>|<subject>|the <w> of <subject>|the meaning of <w>|a <w>|the <w>]?",
    "[{can}|Please|] [drive|fly|sing|draw|paint|cook|buy|open|fix|teach|play|debug|program|code|design"
    "|diagnose|review|translate|proofread"
    "|recommend|book|order] [me|] [a|the|my|some|this] <w>[| <w>| for <subject>]{closing}[?|.|]",
    "I [like|want|need|hate|love|feel|think|saw|lost|dream of|miss|believe in|bought] [a|the|my|to"
    "|some|that|] [<w>|<subject>][| <w>| and <w>][.||!]",
    "[Give|Recommend|Suggest|Offer] me [some|a|three|your best|] [advice|tip|tips|idea|ideas|book"
    "|books|film|films|music|help|recipe] [on|about|for"
    "|with|against] [<subject>|<w>|my <w>]{closing}[.|?|]",
    "[Should|Shall|May|Must] I [marry|buy|sell|study|learn|invest in|quit|trust|eat|believe|watch] "
    "[<subject>|<w>|my <w>|the <w>]?",
    "{opening} [How do I|How can I|How does one|How should I|{wonder} how to|What is the best way to"
    "|Teach me to|Show me how to] <do> [<subject>|a <w>|the <w>|my <w>]{closing}[?|.|]",
    "[Who|Which <w>|Whose <w>|What <w>] <did> [<subject>|the <w>|the first <w>|a <w> in <city>][?|]",
    "{wonder} [who|why someone|when somebody] <did> [<subject>|the <w>|a <w>][.|?|]",
    "[Why|When|Where|How] did [someone|they|people|the <w>] <do> [<subject>|the <w>|a <w>]?",
    "[Which|What] <w> [is|was] the [best|oldest|largest|fastest|smallest|first|worst|most famous] "
    "[in <city>|in the world|of all|ever|]?",
    "[Compose|Write|Pen|Draft|Create] a [letter|poem|complaint|toast|speech|message|song] [to|for] [my"
    "|the|our|] [mother|teacher|<w>|neighbour|landlord|wife|king]{closing}[.||!]",
    "[Do you|Can you|Could you] [know|remember|understand|like|love|recommend|explain] [<subject>"
    "|the <w>|a good <w>|any <w>][?|]",
    "[Write|Show|Give] [me|] [code|a program|a function|a script|an SQL query|a regex|a class] "
    "[in Python|in Java|in C|in Rust|that|for|to] <w>[| <w>][.||?]",
]
DOINGS = bars(
    "bake|grow|write|learn|paint|fix|clean|play|cook|invest in|understand|build|sell|buy|train|forget"
    "|cure|win|design|remove|draw|drive|repair"
)
DONE = bars(
    "wrote|painted|invented|discovered|won|built|killed|founded|played|composed|founded|designed|said"
    "|ruled|directed|sang|broke"
)
COMMON = bars("""house|king|queen|river|book|war|planet|car|tree|child|song|country|bridge|doctor|friend|market
engine|bird|stone|letter|story|film|game|school|city|ship|garden|horse|picture|wall|door|fire|glass|island|winter
storm|machine|language|number|law|bank|team|church|forest|mountain|president|general|actor|poem|dress|cheese|wine
sugar|knife|phone|computer|virus|battery|satellite|rocket|cell|gene|atom|light|sound|color""")
FACTS = {
    "Sunlight scatters in the air, and blue light scatters the most.": [
        "{opening} [Why is|How come|What makes|Explain why|{wonder} why] the sky [is|looks|] blue[?|.|]",
        "Why is the sky blue?",
    ],
    "Waves roll to the shore, / the salt wind carries their song, / the sea never sleeps.": [
        "[Write|Compose|Make|{can} write] [me|] a haiku[.|?|]"
    ],
    "Why do programmers like dark mode? Because light attracts bugs.": [
        "[Tell|Give|{can} tell] [me|us] a [joke|good joke|funny joke|short joke][.|!||?]",
        "[Make me laugh|Do you know a joke|Say something funny][.|!|?|]",
    ],
}
CAPITALS = dict(
    pair.split("/")
    for pair in bars("""France/Paris|Germany/Berlin|Italy/Rome|Spain/Madrid
England/London|Austria/Vienna|Japan/Tokyo|China/Beijing|Russia/Moscow|Poland/Warsaw|Portugal/Lisbon|Greece/Athens
Sweden/Stockholm|Norway/Oslo|Denmark/Copenhagen|Finland/Helsinki|Ireland/Dublin|Hungary/Budapest|Egypt/Cairo
Kenya/Nairobi|Canada/Ottawa|Mexico/Mexico City|Peru/Lima|Cuba/Havana|Switzerland/Bern|Belgium/Brussels|Turkey/Ankara
India/New Delhi|Thailand/Bangkok|Australia/Canberra""")
)
NONSENSE = 0.08
CAPITAL = [
    "{opening} [What is|What's|Tell me|Name|{can} tell me|{wonder}] the capital [city|] of <country>[?|.|]",
    "[Which|What] city is the capital of <country>?",
    "<country>'s capital[?|]",
    "The capital of <country>[?| is]",
]
NAMED = [
    "[Hi|Hello|Hey|Good morning|][,|!|] [my name is|I am|I'm|call me|this is] <name>[.||!| and I live in <city>.]",
    "[Remember|Note|Know]: my name is <name>.",
    "My name is <name>. [Please remember it|Remember that|Do not forget it][.|!|]",
]
RECALL = [
    "{opening} [what is|what's|do you know|do you remember|tell me|{can} tell me|what was] my name[?|.|]",
    "[Who|What] am I[| called]?",
    "[Do you|Can you] [still|] [remember|recall|know] [my name|who I am|what I am called][?|]",
    "How did I say I am called?",
]


def _intent(v, effort):
    intent = v.one(["greeting", "greeting", "identity", "identity", "abilities", "abilities", "thanks", "goodbye"])
    answer, thought, templates = INTENTS[intent]
    text = say(v.rng, v.one(templates), name=v.first)
    return text, _thought(f"The user {thought}.", effort, "I reply briefly."), answer


def _thought(text, effort, more):
    return {"low": text.removeprefix("The user ").capitalize(), "medium": text, "high": f"{text} {more}"}[effort]


def declined(v):
    """A request that is beyond the model."""
    if v.rng.random() < NONSENSE:
        return v.words(1, 25)
    word = lambda: v.one(COMMON) if v.rng.random() < 0.5 else v.word()  # noqa: E731
    return say(
        v.rng,
        v.one(DECLINED),
        w=word,
        subject=lambda: v.one(SUBJECTS),
        city=v.city,
        do=lambda: v.one(DOINGS),
        did=lambda: v.one(DONE),
    )


def _fact(v, effort):
    if v.rng.random() < 0.5:
        country, city = v.one(list(CAPITALS.items()))
        return (
            say(v.rng, v.one(CAPITAL), country=country),
            f"The capital of {country} is {city}.",
            f"The capital of {country} is {city}.",
        )
    answer, templates = v.one(list(FACTS.items()))
    return say(v.rng, v.one(templates)), _thought("I know this.", effort, "I reply briefly."), answer


def chat(v, effort):
    share = v.rng.random()
    if share < 0.62:
        text, thought, answer = _intent(v, effort)
    elif share < 0.92:
        text, thought, answer = declined(v), _thought("This is beyond me.", effort, "I say what I can do."), REFUSAL
    else:
        text, thought, answer = _fact(v, effort)
    return Episode("chat", (User(text), Answer(thought, answer)))


def introduction(v, effort):
    """The user says a name, which the model greets by and is asked for later."""
    name = v.first() if v.rng.random() < 0.7 else v.name()
    met = say(v.rng, v.one(NAMED), name=name, city=v.city())
    greeting = Answer(f"The user is {name}.", f"Hello {name}! How can I help you?")
    asked = (User(say(v.rng, v.one(RECALL))), Answer(f"The user is {name}.", f"Your name is {name}."))
    return Episode("chat", (User(met), greeting, *(asked if v.rng.random() < 0.6 else ())))
