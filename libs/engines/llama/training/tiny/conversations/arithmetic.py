"""Sums that are worked out in the analysis, step by step, in numbers below a thousand."""

from tiny.conversations.episode import Answer, Episode, User
from tiny.conversations.grammar import say
from tiny.conversations.values import held_out
from tiny.conversations.wording import dressed

UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen""".split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()

PLAIN = [
    "{opening} [What is|What's|How much is|Calculate|Compute|{can} compute|{can} calculate|Work out"
    "|Solve|What does|I need|{wonder} what|Evaluate"
    "|Find|Do|Add up|What do I get for|Result of|The result of|What would|{tell}|Figure out"
    "|What comes out of] <e>"
    "[| equal| is| make| give| be| come to| amount to| add up to]{closing}[?|.||!]",
    "<e>[?||=| = ?| =| equals?| is?| makes?| gives?| is what?| makes what?|, please| please]",
    "{opening} <e>[ is how much| makes| equals what| comes to what|, how much is that|, what is it|, what do I get]?",
    "[Maths|Sum|Question|Calculate|Math problem|Homework|Calculation|Quick sum|Riddle]: [what is|] <e>[?||.]",
]
WORDED = {
    "+": [
        "{opening} [What do I get if I|What happens when you|Please|{can}|Now|If you|When I|Let's"
        "|What if I|] add <a> [and|to|with] <b>[?|.||, what is it?|, what do I get?]",
        "{opening} [What is|What's|Give me|{tell}|Find|I need|{can} {tell}|Please compute|{wonder}|Compute"
        "|Calculate|What would be] the [sum|total|overall total|total sum"
        "|combined value] of <a> and <b>{closing}[?|.|]",
        "<n> has <a> <o> and [buys|finds|gets|wins|receives|collects|takes|picks up|is given|earns] <b> "
        "[more|more <o>|others|extra|additional ones]."
        " [How many [<o>|] [does <n> have|are there|is that]|What is the total|How many in total"
        "|What's the total now][| now| in total| altogether]?",
        "[<n>|{relative}] [is|is now|turned|just turned] <a>[| years old]. I am <b> years [older|more]. "
        "[How old am I|What is my age|My age]?",
        "[<n>|{relative}] is <a> and I'm <b> years older. How old am I?",
        "[There are|I see|We have|I count|We had|There were|They have|I own|You have] <a> <o> [here"
        "|on the table|in the box|in one box|on the left|in the morning|yesterday"
        "|on Friday|at home|in the first room|upstairs|] and <b> [there|on the floor|in the bag|in another"
        "|on the right|more arrived|in the evening|today|on Sunday"
        "|in the second room|downstairs|more came|more joined|were added|outside]. [How many|How many <o>"
        "|What is the total|Total"
        "|How many do we have|How many is that][| in total| altogether| together| in all]?",
        "[I paid|It costs|I spent|He pays|We spend|She saved|I earned|They raised] <a> [euros|dollars"
        "|pounds|] and [then|later|] <b>[ more|]"
        "[. How much in total?|. What is the total?|, how much is that?|. What's the sum?"
        "|. How much altogether?]",
        "[First|I read|I walk|She ran|He drove|<n> read|<n> walked|We cycled] <a> [pages|miles|km|steps"
        "|laps|] and then <b>[| more]"
        "[, what is the total|, how many in total|, together|. How far is that|. How much is that"
        "|. What is the sum|. How far is it now]?",
        "[Increase|Raise|Take] <a> [by|and add] <b>[.||?]",
        "[Add|Sum|Total|Sum up|Add up|Combine]: <a>[,| and|;] <b>",
        "<a> [and|together with|combined with|joined by|increased by|with another|and another|more than]"
        " <b>[ together|] [make|makes|is|gives|are] [what|how much|how many]?",
        "[To|In addition to] <a> [we add|add|I put|you put|comes] <b>. [Result|What is it|How much"
        "|What do we have|Sum]?",
    ],
    "-": [
        "{opening} [What do I get if I|Please|{can}|Now|When I|If I|What if you|] subtract <b> from <a>[?|.|]",
        "[If I|When you|If you|Please|I|Suppose you|You|We] [take|remove|deduct|subtract|pull] <b> [away|]"
        " from <a>[, what is left|, what remains|. What is left"
        "|, how much is left|. How many remain|, what stays|. Result|, what do I have]?",
        "<n> has <a> <o> and [eats|loses|sells|gives away|drops|spends|uses|throws away|breaks|donates"
        "|returns|lends] <b>[| of them]."
        " How many [<o>|] [are left|remain|does <n> have now|does <n> still have|are still there|stay]?",
        "[<n>|{relative}] is <a>[| years old]. I am <b> years younger. [How old am I|What is my age]?",
        "[<n>|{relative}] is <a> and I'm <b> years younger. How old am I?",
        "[There were|There are|We had|I had|They started with|The bus has|The shop had] <a> <o>["
        "| on the table| in the box| in the room]"
        "[. |, ]<b> [are gone|were sold|broke|were taken|disappear|of them left|got lost|were stolen"
        "|of them were used|fell down|went home|are taken]"
        "[. |, ][How many|how many <o>] [are left|remain|are still there|stay|can still be used"
        "|are still free]?",
        "{opening} [What is|What's|Give me|{tell}|{wonder}|Compute] the difference [between|of] <a> and <b>{closing}?",
        "[Decrease|Reduce|Lower|Cut] <a> by <b>[.|]",
        "[I had|We had|She had|My budget was] <a> [euros|dollars|pounds|<o>] and [spent|paid|lost|used"
        "|gave away] <b>"
        "[. What is left?|. How much remains?|. How much do I have now?|, how much is left?]",
        "How much [is left|remains|stays] [of|from] <a> after [taking|removing|spending|losing|using] <b>?",
        "How much [more|bigger|larger|greater] is <a> than <b>?",
        "<a> [less|without|decreased by|reduced by|take away|lowered by] <b>[?| is| makes| is what?|]",
        "How far is it from <b> to <a>?",
        "[A trip|The way|The book|A film] [is|has] <a> [km|miles|pages|minutes] [long|]. I [did|finished"
        "|covered|have done] <b>. How [much|many] [is|are] left?",
    ],
    "*": [
        "{opening} [What do I get if I|Please|{can}|Now|If I|When you|] multiply <a> [by|with|and] <b>[?|.|]",
        "[A|One|Each|Every] [bag|pack|crate|tray|basket|jar|carton|shelf|row|table|bus|set] [holds|has"
        "|contains|fits|carries|comes with] <a> <o>."
        " How many [<o>|] [are in|do|fit in|in|are there in] <b> [bags|boxes|packs|crates|trays|baskets"
        "|jars|cartons|shelves|rows|sets][| hold]?",
        "[There are|I have|We buy|I need|They sell|I order|She has|We need] <a> [bags|boxes|packs|rows"
        "|groups|tables|sets|bundles|shelves|cartons]"
        " [with|of|holding] <b> <o>[ each| in each| per piece|].[ How many <o>| How many"
        "| What is the total][| in total| altogether| is that| are there]?",
        "{opening} [What is|Give me|{tell}|Compute|{wonder}] the product of <a> and <b>[?|.]",
        "[One|A|Each] [ticket|book|pen|cake|shirt|bottle|hour|day] costs <a> [euros|dollars|pounds]. "
        "[What do|How much do|How much are|What is the price of] <b>[ cost|]?",
        "<a> [people|kids|friends|guests|workers] [get|have|bring|eat|buy|carry] <b> <o> [each"
        "|]. How many <o>[| in total| are there| is that]?",
        "<a> [rows|lines|columns|groups] of <b>[, how many|: total|, what is the total|. How many in all]?",
        "<a> [lots|sets|groups|rows|packs] of <b>[?| is?| make?|]",
        "<a> [multiplied|times] [by|] <b>[?||, please]",
        "[I work|She works|We train|He runs] <a> [hours|minutes|miles|km] [a day|per day|each day]. How "
        "[many|much] in <b> days?",
    ],
    "/": [
        "{opening} [Please|{can}|What if I|What do I get if I|] divide <a> by <b>[?|.|]",
        "[Share|Split|Divide|Distribute] <a> <o> [among|between|over|by] <b> [people|friends|kids|boxes"
        "|groups|bags]. How many [each|does each get|per person|for each one]?",
        "<a> <o> [are shared|are split|are divided|get distributed|go] [among|between|into|over] <b> "
        "[people|friends|kids|boxes|groups|bags|tables]."
        " How many [each|does each get|per one|are in each]?",
        "[How many times|How often] does <b> [go|fit] into <a>?",
        "<a> [shared|split] [by|between|among|into] <b>[?| is?| makes?| parts?]",
        "[What is|Give me|Compute|{tell}] the quotient of <a> and <b>[?|.]",
    ],
}
SIGNS = {
    "+": ["+", "+", "plus", "and"],
    "-": ["-", "-", "minus"],
    "*": ["*", "x", "×", "times", "multiplied by"],
    "/": ["/", "÷", "divided by"],
}


def _operands(v):
    """A sum within reach: two digits, products and quotients to twelve, some of three digits."""
    while True:
        share, one = v.rng.random(), v.number
        if share < 0.34:
            a, b, sign = one(0, 99), one(0, 99), "+"
        elif share < 0.64:
            a, b, sign = one(0, 99), one(0, 99), "-"
            a, b = (b, a) if a < b and v.rng.random() < 0.85 else (a, b)
        elif share < 0.80:
            a, b, sign = one(0, 12), one(0, 12), "*"
        elif share < 0.87:
            b = one(1, 12)
            a, sign = b * one(0, 12), "/"
        elif share < 0.94:
            a, sign = one(11, 99), "*"
            b = one(2, max(2, min(99, 999 // a)))
            a, b = (b, a) if v.rng.random() < 0.3 else (a, b)
        else:
            a, b = sorted((one(10, 899), one(10, 899)), reverse=True)
            a, b, sign = (a - b, b, "+") if v.rng.random() < 0.5 else (a, b, "-")
        if (held_out(f"{a}{sign}{b}") and a > 12 and b > 12) != v.known:
            return a, sign, b


def solve(a, sign, b):
    """The steps in words of numbers, and the result."""
    if sign == "+":
        return _add(a, b), a + b
    if sign == "-":
        return (_subtract(a, b), a - b) if a >= b else (f"{a} is less than {b}. {_subtract(b, a)}", a - b)
    if sign == "/":
        return f"{b} * {a // b} = {a}. {a} / {b} = {a // b}.", a // b
    return _multiply(a, b), a * b


def _add(a, b):
    if a < 10 and b < 10:
        return f"{a} + {b} = {a + b}."
    step = 100 if max(a, b) >= 100 else 10
    high, low = a // step * step + b // step * step, a % step + b % step
    lower = f"{a % step} + {b % step} = {low}." if step == 10 else _add(a % step, b % step)
    return f"{a} + {b}: {a // step * step} + {b // step * step} = {high}. {lower} {high} + {low} = {a + b}."


def _subtract(a, b):
    if b < 10:
        return f"{a} - {b} = {a - b}."
    step = 100 if b >= 100 else 10
    rest = a - b // step * step
    last = f"{rest} - {b % step} = {a - b}." if step == 10 else _subtract(rest, b % step)
    return f"{a} - {b}: {a} - {b // step * step} = {rest}. {last}"


def _multiply(a, b):
    if a <= 12 and b <= 12:
        return f"{a} * {b} = {a * b}."
    if b < 10:
        return f"{a} * {b}: {_split(a, b)}"
    if a < 10:
        return f"{a} * {b}: {_split(b, a)}"
    tens, units = b // 10 * 10, b % 10
    high = f"{a} * {b // 10}: {_split(a, b // 10)} {a} * {tens} = {a * tens}."
    return (
        f"{a} * {b}: {high}"
        if not units
        else f"{a} * {b}: {high} {a} * {units}: {_split(a, units)} {_add(a * tens, a * units)}"
    )


def _split(a, digit):
    high, low = a // 10 * 10 * digit, a % 10 * digit
    return f"{a // 10 * 10} * {digit} = {high}. {a % 10} * {digit} = {low}. {high} + {low} = {a * digit}."


def _in_words(number):
    if number < 20:
        return UNITS[number]
    return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")


def arithmetic(v, effort):
    a, sign, b = _operands(v)
    steps, result = solve(a, sign, b)
    spelled = _in_words if max(a, b) < 100 and v.rng.random() < 0.07 else str
    said = dict(a=spelled(a), b=spelled(b), n=v.first(), o=say(v.rng, "{things}").lower())
    if v.rng.random() < 0.4:
        blank = v.one([" ", " ", ""]) if (mark := v.one(SIGNS[sign])) in "+-*x×/÷" and spelled is str else " "
        text = say(v.rng, v.one(PLAIN), e=f"{said['a']}{blank}{mark}{blank}{said['b']}")
    else:
        text = say(v.rng, v.one(WORDED[sign]), **said)
    equation = f"{a} {sign} {b} = {result}"
    thought = f"The user asks for {a} {sign} {b}. {steps}" if effort == "high" else steps
    return Episode("arithmetic", (User(dressed(v.rng, text)), Answer(thought, equation)))


WORDS = """strawberry apple banana cherry orange lemon table chair window garden school house mouse computer letter
number water bread butter cheese coffee summer winter river mountain forest flower yellow green purple happy hello
world model token engine kafka paris london berlin madrid rome vienna prague lisbon dublin oslo tokyo cairo boston
chicago denver athens munich sydney delhi milan mississippi raspberry blueberry assistant counterpoint elephant
tiger zebra monkey rabbit horse pepper carrot tomato potato""".split()
LENGTH = [
    "{opening} [How many|What number of] [letters|characters] [are in|does|are there in|has] [the word"
    "|] [<w>|\"<w>\"|'<w>'][| have]?",
    '[Count|{can} count|Tell me] the [letters|number of letters] [in|of] [the word|] [<w>|"<w>"]{closing}[.|?|]',
    "How long is the word <w>?",
]
OCCURRENCES = [
    '{opening} [How many|What number of] [<l>\'s|<l>s|times <l>|letters <l>|"<l>"] [are in'
    '|are there in|do you see in|does one find in] [the word|] [<w>|"<w>"]?',
    "[Count|{can} count|Tell me] the [<l>'s|letter <l>|<l>s] in [the word|] <w>{closing}[.|?|]",
    "How [often|many times] [does|is] [the letter|] <l> [occur|appear|come up|] in [the word|] <w>?",
]


def letters(v, effort):
    """Counts letters of a word that it knows how to spell."""
    word = v.one(WORDS)
    word = word.capitalize() if v.rng.random() < 0.4 else word
    if v.rng.random() < 0.5:
        spelled = " ".join(f"{letter} {place}" for place, letter in enumerate(word.lower(), 1))
        answer = f"There are {len(word)} letters in {word}."
        text = say(v.rng, v.one(LENGTH), w=word)
    else:
        letter, count, marks = v.one(word.lower()), 0, []
        for each in word.lower():
            count += each == letter
            marks.append(f"{each} {count}" if each == letter else each)
        spelled = " ".join(marks)
        answer = (
            f"The letter {letter} is {count} times in {word}."
            if count > 1
            else f"The letter {letter} is once in {word}."
        )
        text = say(v.rng, v.one(OCCURRENCES), w=word, l=letter)
    return Episode("arithmetic", (User(text), Answer(f"Spell {word}: {spelled}.", answer)))
