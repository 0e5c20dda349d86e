"""The kinds of functions that conversations declare: their spellings, how users ask for them, and what they return."""

import dataclasses
from collections.abc import Callable

from tiny.conversations import wording  # noqa: F401 (fills the synonyms)
from tiny.conversations.results import conditions, field, money, outcome, prose
from tiny.conversations.values import CURRENCIES, LANGUAGES, PRODUCTS, ROOMS, bars

STATES = bars(
    "shipped|delivered|processing|pending|cancelled|delayed|packed|returned|lost|ready|paid|in transit"
    "|on hold|out for delivery"
)


@dataclasses.dataclass(frozen=True)
class Parameter:
    names: str
    value: Callable
    type: str = "string"
    descriptions: str = ""
    choices: tuple = ()


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """`requests` use `<0>`, `<1>` ... for the arguments in the order of the parameters, and the `words`."""

    names: str
    descriptions: str
    parameters: tuple
    requests: tuple
    result: Callable
    switched: str = ""
    words: dict = dataclasses.field(default_factory=dict)


CITY = Parameter(
    "city|city|city|location|place|town|city_name",
    lambda v: v.city(),
    descriptions="City name|Name of the city|The city|The city and country|Where|City, e.g. Paris|The location",
)

WEATHER = Kind(
    "get_weather|get_weather|get_weather|getWeather|weather|get_current_weather|fetch_weather"
    "|current_weather|weather_lookup|check_weather",
    "Current weather of a city|Get the current weather for a city.|Gets the weather."
    "|Returns the weather in a location"
    "|Get the current weather|Weather of a place|Look up the weather|The weather right now"
    "|Retrieves current weather conditions.",
    (CITY,),
    (
        "{opening} [what is|what's|how is|how's|{wonder} how is|tell me|what about|check|get|find"
        "|{can} {tell}|show|describe] the"
        " [weather|temperature|current weather|forecast|climate|weather situation|weather report"
        "|outside temperature] [like|] [in|for|over in|at|near] <0>{when}{closing}[?|.]",
        "[weather|temperature|weather report|current weather|rain|snow|sun|wind|conditions|climate"
        "|weather check] [in|for|at|over|] <0>{when}[?||.| please]",
        "<0> [weather|temperature|conditions]{when}[?||.| please]",
        "[Should|Must|Do|Can|Shall|Would|May] I [bring|wear|pack|take|need|carry|go out with|put on"
        "|leave without] [a coat|a jacket|an umbrella|a scarf|sunscreen|warm clothes"
        "|a hat|gloves|boots|shorts|a sweater|a raincoat|sunglasses|a T-shirt|thick socks|a swimsuit] [in"
        "|to|for|when I go to] <0>{when}?",
        "[Will it|Is it going to|Does it|Could it|Might it|Is it likely to|Should it] [rain|snow|be sunny"
        "|be cold|be windy|be hot|freeze|be nice|get warm|storm|clear up"
        "|stay dry|be foggy|be humid|cool down] in <0>{when}?",
        "Is [there|there any|it] [rain|snow|sun|fog|wind|a storm|ice|sunshine|raining|snowing|sunny|cold"
        "|warm|hot|windy|cloudy|wet|freezing|mild|chilly|dry"
        "|good weather|bad weather] [in|around|near] <0>{when}?",
        "[I'm|I am|We are|We're|{relative} is|She is] [flying|going|travelling|driving|moving|heading|off"
        "|on my way|sailing] to <0>{when}[, |. | - ]"
        "[what is|how is|what's|how's|what about|{wonder} what is] the [weather|temperature][| there"
        "| like there| like| over there]?",
        "[I'm|I am|We are|We] [flying|going|travelling|heading|fly|go|travel] to <0>{when}[, |. | and ]"
        "[will it rain|is it cold|is it warm|do I need a coat|what should I pack"
        "|what should I wear|what are conditions like|is it nice|is it sunny|should I take an umbrella"
        "|how is it there|how cold is it][| there]?",
        "[{relative}|A friend] [lives in|is in|works in|stays in] <0>[, |. ][is it [cold|warm|raining"
        "|sunny|hot] there|how is the weather there|what's the weather there]{when}?",
        "How [hot|cold|warm|windy|wet|humid|nice|sunny|chilly|mild|pleasant|bad] [is it|is it outside"
        "|will it be|does it get|is it getting] in <0>{when}?",
        "[Any|What is the|What's the|Is there a|Is there any|How big is the] [chance|risk|probability|hope"
        "|sign|danger|likelihood] of [rain|snow|sun|storms|fog|showers|sunshine|frost]"
        " [in|over|around|for|near] <0>{when}?",
        "{wonder} [how the weather is in|if it is raining in|whether it will rain in"
        "|what the weather looks like in|if I need a jacket in|how cold it is in"
        "|what the temperature is in|how hot it gets in|whether it is sunny in|what to wear in"
        "|if it snows in|the weather in|the temperature in|how warm it is in"
        "|what it is like outside in] <0>{when}{closing}[?|.|]",
        "[What|How] [are|is] [conditions|the sky|things weather-wise|the weather situation|the outlook"
        "|the air|it outside|it] [like in|in|over|looking in] <0>{when}?",
        "So how's <0>{when}[, weather-wise|, is it nice|, any rain|, weather please]?",
        "<0>[: |, |? ][weather|temperature|rain|how is the weather|is it cold|sunny|any snow|weather please]?",
        "[Would|Are|Will] [shorts|boots|gloves|a T-shirt|a light jacket|sunglasses|a coat] be [fine|enough"
        "|needed|right|ok|a good idea] in <0>{when}?",
    ),
    conditions,
)
FORECAST = Kind(
    "get_forecast|getForecast|forecast|weather_forecast|get_weather_forecast|daily_forecast",
    "Weather forecast for some days.|Get the forecast for the next days|Forecast for a city"
    "|Returns a forecast of several days",
    (
        CITY,
        Parameter(
            "days|days|num_days|number_of_days|count",
            lambda v: v.number(2, 14),
            "integer",
            "Number of days|How many days|Days ahead",
        ),
    ),
    (
        "{opening} [what is|give me|show me|{can} {tell}|I need|{wonder}|get] the [weather|forecast"
        "|weather forecast|outlook|prediction] [in|for|of] <0> [for|over|in] the [next|coming|following]"
        " <1> days{closing}[?|.]",
        "[<1>|<1>]-day [forecast|weather forecast|outlook|weather] [for|in|of] <0>{closing}[?|.|]",
        "[Forecast|Weather] [for|in|of] <0>[,|] [next|for|] <1> days[?|.|]",
        "[How will|What will|{wonder} how will] the [weather|sky|temperature] [be|look|develop|be like]"
        " in <0> [for|over|during|in] the [next|coming|following] <1> days?",
        "How do the coming <1> days look in <0>{closing}[?|.|]",
        "[I stay|I will be|We stay|I spend|We spend] <1> days in <0>[, |. ][how will the weather be"
        "|what is the forecast|will it rain|what should I pack]?",
        "[The next|The coming] <1> days in <0>[, | - |: ][how will it be|forecast please|weather|will it rain]?",
    ),
    prose("forecast|summary|outlook"),
)
TIME = Kind(
    "get_time|getTime|get_current_time|current_time|local_time|get_local_time|clock|time_in_city|world_clock",
    "The local time in a city.|Get the current time for a city|Tells the time"
    "|What time it is in a place|Current local time",
    (CITY,),
    (
        "{opening} [what time is it|what's the time|what is the time|what is the local time"
        "|what is the current time|how late is it|tell me the time|{can} {tell} the time"
        "|{wonder} what time it is|what time do they have|what hour is it|give me the time"
        "|how early is it] [in|over in|for|at] <0>[| now| right now| please| at the moment]{closing}?",
        "[time|local time|current time|clock|time now|time zone] [in|for|at] <0>[?||.| please| now]",
        "<0> [time|local time|clock|time now][?||.]",
        "[Is it|Is it already|Is it still] [late|early|morning|night|evening|dark|past midnight|noon"
        "|afternoon|midnight|after ten] in <0>[| now| already| yet]?",
        "[{relative}|A friend|My customer] [lives in|is in|works in|moved to|stays in] <0>[, |. ]"
        "[what time is it there|is it late there|is it night there"
        "|can I call now|how late is it there|is it too early to call|what time do they have"
        "|is it morning there yet]?",
        "[What do] the watches show in <0>[| now]?",
        "[Can|May|Should|Could] I [call|phone|ring] [someone|a friend|{relative}|our office] in <0> [now"
        "|at this hour|or is it too late]?",
        "<0>, [what time is it|what's the time|what time is it there|what is on the clock|how late is it]["
        "| now| over there]?",
    ),
    field("time|local_time|current_time|time|datetime", "It is {value} in {0}.", lambda v: v.clock()),
)
ORDER = Kind(
    "lookup_order|lookup_order|get_order|find_order|get_order_status|order_status|track_order|getOrder"
    "|lookupOrder|track_package|check_order",
    "Look up an order.|Look up an order by its number.|Get the status of an order|Finds an order"
    "|Tracks a package|Order status by id|Where an order is",
    (
        Parameter(
            "order_id|order_id|id|order|order_number|orderId|number|tracking_number|reference",
            lambda v: v.order(),
            descriptions="The order number|Order id|The id of the order|Number of the order|Order reference",
        ),
    ),
    (
        "{opening} [where is|where's|what about|any news on|any update on|what is with|what's up with"
        "|what happened to|what is the status of|what's the state of|status of|how is it going with"
        "|is there news about|what became of] [my|the|our|] [order|package|parcel|delivery|shipment"
        "|purchase|item] [number|no.|with number|#||] <0>[| now| at the moment]{closing}?",
        "[Has|Did] [my|the|our] [order|package|parcel|delivery|shipment|purchase] [number|] <0> [ship"
        "|shipped|arrived|been shipped|been sent|been delivered|been dispatched|left|come|gone out"
        "|leave|go out|been packed|been processed][| yet| already| today]?",
        "[Did|Has] <0> [ship|leave|been shipped|been sent|arrived|gone out|been delivered][| yet| already| today]?",
        "[I'm|I am|Still|We are] [still|] [waiting for|missing|looking for|expecting] [order|package"
        "|parcel|shipment|] <0>[.|, any update?|. Where is it?|, any news?|. What happened?]",
        "[My|The|Our] [order|package|parcel|delivery|shipment|purchase] [number|id|reference|code|no."
        "|with reference|with number|with id|with the number|with the reference|] [is|] <0>[. |, | - "
        "| and ]"
        "[where is it|any news|is it shipped|when does it come|has it left|has not come|still is not here"
        "|is late|did not arrive|what is the status|when will it arrive|it never came"
        "|has not been delivered|seems lost][?|.|]",
        "{wonder} [where my [order|package|parcel] <0> is|if [order|package|parcel|] <0> has shipped"
        "|whether [order|package|] <0> has [been shipped|been sent|arrived|left|been dispatched"
        "|been delivered]"
        "|when [order|package|parcel|] <0> [arrives|will come|gets here|gets delivered|is delivered]"
        "|what happened to [order|] <0>|the status of [order|purchase|] <0>|about [order|purchase|parcel]"
        " <0>]{closing}[?|.|]",
        "[Check|Track|Find|See|Look into|Search|Trace|Pull up|Look up|Show me|{can} check|{can} look up"
        "|{can} track|{can} find|{can} see] [my|the|] [order|package|parcel|shipment|purchase|] <0>["
        "| for me]{closing}[.|?|]",
        "[Is|Was] [order|package|parcel|] <0> [shipped|on its way|delivered|ready|sent|dispatched"
        "|on the way|cancelled|delayed|lost|paid|packed|here][| yet| already| today]?",
        "[When|How soon|What day|On which day] [will|does|can] [my|the|] [order|package|parcel|] <0> [come"
        "|arrive|get here|be delivered|ship|be here|get delivered]?",
        "[I ordered|We ordered|I purchased] [something|a <p>|a <p>|some <p>s] [last week|yesterday"
        "|on Monday|online|from you|][,|.|] [the order id is|under number|the number is|order number"
        "|under the number|with reference] <0>"
        "[. Where is it?|. When does it arrive?| and want to know when it arrives."
        "| and hope that it comes soon.|, any news?|. Has it shipped?]",
        "[order|order status|package|status|tracking|order number|parcel] <0>[?||.| please| status]",
        "<0>[, | - |: |? ][status|where is it|order status|has it shipped|any news|delivered][?|]",
    ),
    field(
        "status|state|status",
        "Order {0} is {value}.",
        lambda v: v.one(STATES) if v.rng.random() < 0.85 else v.word(),
        extra="eta|delivery|arrival|delivery_date|estimated_delivery|expected",
        extra_says=" Expected: {extra}.",
        extra_value=lambda v: v.date() if v.rng.random() < 0.5 else v.day(),
    ),
)
STOCK = Kind(
    "get_stock_price|getStockPrice|stock_price|get_quote|quote|share_price|lookup_stock|get_price",
    "The latest price of a share.|Get the current stock price|Stock quote by ticker|Price of a stock|Returns a quote",
    (
        Parameter(
            "symbol|symbol|ticker|stock|ticker_symbol",
            lambda v: v.symbol(),
            descriptions="Ticker symbol|The ticker|Stock symbol|Symbol of the share",
        ),
    ),
    (
        "{opening} [what is|what's|give me|{can} {tell}|{wonder}|tell me|get|check] the [stock price|price"
        "|share price|quote|current price|latest price|stock|value] [of|for] <0>[| stock| shares]{closing}"
        "[?|.]",
        "[How is|How's|How are] <0> [stock|shares|] [doing|trading|performing|holding up|today|looking]["
        "| today| right now]?",
        "[What does|What is|What's|At what price does|{wonder} what] <0> [trade at|trading at|cost|worth"
        "|going for][| now| today]?",
        "[stock price|stock|quote|price|share price|shares] [of|for|] <0>[?||.| please]",
        "<0> [stock price|stock|quote|price|shares|share price][?||.| please]",
        "[What are|What do] <0> [shares|stocks] [worth|trading at|cost|at|selling for][| now| today| right now]?",
        "[How much|What] [is|does|do] [a share of|one share of|one] <0> [cost|worth|]?",
        "[Should|Can] I [buy|sell|keep] <0>[, what is the price|, how much is it|. What's the quote][| now| today]?",
        "<0>, [how is it doing|what's the price|how is the stock|quote please|how much|how does it stand][| today]?",
    ),
    field("price|price|last|value|quote|last_price", "{0} is at {value}.", money),
)
CONVERT = Kind(
    "convert_currency|convertCurrency|exchange|convert_money|currency_converter|convert|exchange_rate",
    "Converts an amount of money.|Convert between currencies|Currency conversion"
    "|Converts money from one currency to another",
    (
        Parameter(
            "amount|amount|value|sum",
            lambda v: v.number(1, 999) if v.rng.random() < 0.85 else v.number(1, 999) / 10,
            "number",
            "Amount|How much|The amount",
        ),
        Parameter(
            "from|from|from_currency|source|base",
            lambda v: v.one(CURRENCIES),
            descriptions="Source currency|Currency code|From",
        ),
        Parameter(
            "to|to|to_currency|target", lambda v: v.one(CURRENCIES), descriptions="Target currency|Currency code|To"
        ),
    ),
    (
        "{opening} [convert|change|exchange|turn|{can} convert|{can} change|I want to change"
        "|I'd like to exchange|translate] <0> <1> [to|into|in|for] <2>{closing}[.|?|]",
        "{opening} [how much|what] [is|are|would|will] <0> <1> [in|be in|worth in|come to in|make in] <2>["
        "| today| now]{closing}?",
        "<0> <1> [in|to|into|=] <2>[?||.| please]",
        "[I have|I've got|We have|There are|I kept|She has] <0> <1>[ left|][, |. ][what is that in"
        "|how much is that in|how many|what is it in|what does that make in] <2>?",
        "[How many|How much] <2> [do I get for|are|is|will I get for|for|can I buy with] <0> <1>?",
        "[What do I get in|What is the value in] <2> for <0> <1>?",
    ),
    field("amount|result|converted|value|total", "That is {value} {2}.", money),
)
MAIL = Kind(
    "send_email|sendEmail|send_mail|email|mail|compose_email",
    "Sends an email.|Send an email to someone|Sends mail|Email a person",
    (
        Parameter("to|to|recipient|address|email", lambda v: v.email(), descriptions="Recipient|Email address|To whom"),
        Parameter(
            "subject|subject|title",
            lambda v: (
                v.words(1, 2).capitalize()
                if v.rng.random() < 0.6
                else v.one("Invoice|Hello|Meeting|Report|Lunch|Update|Contract|Offer|Question".split("|"))
            ),
            descriptions="Subject|The subject line|What it is about",
        ),
    ),
    (
        "{opening} [send|write|{can} send|{can} write|drop|I want to send|fire off] [an email|a mail"
        "|a message|mail|an e-mail|a note] to <0> [with the subject|with subject|, subject|about|titled|on"
        "|, subject line|and use the subject] <1>{closing}[.|?|]",
        "[Email|Mail|Write to|Message|Notify] <0>[,|] [subject|about|with subject|the subject is"
        "|with the title] <1>{closing}[.|]",
        "[Send|Drop|Write] <0> [an email|a mail|a message][, the subject is||, subject:| about| titled] <1>[.|]",
        "[Subject|subject]: <1>. [Send|Mail|Email] it to <0>[.|]",
        "[I need|I'd like] an email to <0>[ about| with subject|, subject] <1>[.|]",
        "{opening} [send|write|drop] [an email|a mail|a message] to <0>[,|.] the subject [is|shall be] <1>[.|]",
    ),
    outcome("The email to {0} is sent.", "sent|ok|success|delivered|queued"),
)
REMINDER = Kind(
    "set_reminder|create_reminder|remind|add_reminder|setReminder|create_event|add_event",
    "Sets a reminder.|Create a reminder|Adds a reminder for a day|Reminds the user",
    (
        Parameter(
            "text|text|task|title|what|message", lambda v: v.words(1, 2), descriptions="What to remind of|The task|Text"
        ),
        Parameter("day|day|date|when", lambda v: v.day(), descriptions="The day|When|Day of the week"),
    ),
    (
        "{opening} [remind me|{can} remind me|please remind me] [of|about] [the|] <0> [on|for|] <1>{closing}[.|?|]",
        "[Set|Create|Add|Make|I need|Put] a [reminder|note|task] [for|about|of|:] <0>[,|] [on|for|due|]"
        " <1>{closing}[.|]",
        "[On|For] <1> [remind me of|I must not forget|add|note|put down] <0>[.|]",
        "[Do not let me forget|I must not forget] <0> [on|] <1>[.|!]",
    ),
    outcome("The reminder for {1} is set.", "ok|created|success|set|saved"),
)
LAMP = Kind(
    "switch_light|set_light|light|turn_light|control_light|lamp|toggle_light|set_lamp",
    "Switches the light in a room.|Turn a light on or off|Controls the lamps|Light switch",
    (
        Parameter(
            "room|room|room|location|where", lambda v: v.one(ROOMS), descriptions="The room|Which room|Room name"
        ),
        Parameter(
            "on|on|on|enabled|state|is_on",
            lambda v: v.rng.random() < 0.5,
            "boolean",
            "Whether it is on|On or off|True for on",
        ),
    ),
    (
        "{opening} [turn|switch|{can} turn|{can} switch|I want you to turn|put] <1> the [light|lights|lamp"
        "|lamps] in the <0>{closing}[.|?|]",
        "{opening} [turn|switch|{can} turn|{can} switch] the [light|lights|lamp|<0> light|<0> lights"
        "|<0> lamp] [in the <0>|in the <0>] <1>{closing}[.|?|]",
        "[Light|Lamp] <1> in the <0>{closing}[.|!|]",
        "<0> [light|lights|lamp] <1>[| please|.|!]",
        "In the <0>[,|] [turn|switch|] [the|] [light|lights|lamp] <1>{closing}[.|]",
        "{opening} [turn|switch|{can} turn|{can} switch] the <0> [light|lights|lamp] <1>{closing}[.|?|]",
    ),
    outcome("The light in the {0} is {1}.", "ok|success|done|switched"),
    switched="on|off",
)
THERMOSTAT = Kind(
    "set_temperature|setTemperature|set_thermostat|thermostat|heat_room|heating",
    "Sets the temperature of a room.|Controls the heating|Set the thermostat|Heating of a room in degrees",
    (
        Parameter("room|room|location|where", lambda v: v.one(ROOMS), descriptions="The room|Which room"),
        Parameter(
            "degrees|degrees|temperature|celsius|value",
            lambda v: v.number(10, 30),
            "number",
            "Degrees Celsius|Target temperature",
        ),
    ),
    (
        "{opening} [set|heat|warm|bring|cool|turn|{can} set|{can} heat|make] the <0> to <1>[| degrees"
        "| °C]{closing}[.|?|]",
        "[Set|Put|Turn|Change] the [temperature|heating|thermostat] [in|of] the <0> to <1>[| degrees]{closing}[.|]",
        "[I want|I'd like|We need|Make it|It should be] <1> degrees in the <0>[.|, please]",
        "<0>: <1> degrees[| please|.]",
    ),
    outcome("The {0} is set to {1} degrees.", "ok|success|done|set"),
)
TRANSLATE = Kind(
    "translate|translate_text|translateText|translator|get_translation",
    "Translates text.|Translate a text into a language|Translation of words",
    (
        Parameter(
            "text|text|text|phrase|words|content",
            lambda v: v.words(1, 3),
            descriptions="The text|Text to translate|What to translate",
        ),
        Parameter(
            "language|language|to|target|target_language|lang",
            lambda v: v.one(LANGUAGES),
            descriptions="Target language|Language|Into which language",
        ),
    ),
    (
        "{opening} [translate|{can} translate|please translate|put|turn] [\"<0>\"|'<0>'|<0>|the words <0>]"
        " [to|into|in] <1>{closing}[.|?|]",
        "[How do you say|What is|How do I say|{wonder} what is] [\"<0>\"|'<0>'|<0>] in <1>[?|]",
        '<1> [for|translation of|word for] ["<0>"|<0>][?||.| please]',
        "[Translation|Translate] [to|into] <1>: <0>",
    ),
    field("translation|text|result|translated|output", "In {1} it is: {value}", lambda v: v.words(1, 3)),
)
SEARCH = Kind(
    "search|search_docs|web_search|search_documents|find_documents|search_web|query|searchDocs|knowledge_search",
    "Search the web|Searches the documentation.|Full text search|Find documents|Search for information",
    (
        Parameter(
            "query|query|q|text|term|keywords",
            lambda v: v.words(1, 3),
            descriptions="Search terms|What to search for|The query",
        ),
    ),
    (
        "{opening} [search|look|google|{can} search|{can} look|search the web|search the docs"
        "|search online|do a search|run a search] for <0>{closing}[.|?|]",
        "[Find|Get|Show me|{can} find|Look up] [documents|articles|pages|information|something|docs"
        "|results|news] [about|on|for] <0>{closing}[.|?|]",
        "[search|find|lookup|query]: <0>",
        "[What do the docs say|Is there anything|Do we have documents|Are there articles] [about|on] <0>?",
    ),
    prose("result|text|answer|title|summary"),
)
USER = Kind(
    "get_user|lookup_user|find_user|get_customer|lookup_customer|find_customer|getUser|user_info|get_account",
    "Look up a user.|Get a customer's data|Find the account of a person|Customer lookup",
    (
        Parameter(
            "name|name|user|customer|username|full_name",
            lambda v: v.name() if v.rng.random() < 0.7 else v.first(),
            descriptions="Name of the user|Full name|Who",
        ),
    ),
    (
        "{opening} [look up|find|get|show|pull up|search|fetch|{can} look up|{can} find|open|check] [the"
        "|our|] [user|customer|client|account of|profile of|record of|data of] <0>{closing}[.|?|]",
        "[Who is|What do we know about|Is there a] [user|customer|client|] <0>?",
        "[user|customer|account|profile] [details|info|data|] [for|of] <0>[?||.]",
        "[Do we have|Is there] [a user|a customer|an account] [called|named|for] <0>?",
        "[What is|What's|Give me|{wonder}] the [account|email|status|phone number|address|profile] of "
        "[user|customer|] <0>[?|.]",
    ),
    prose("email|status|phone|city|plan"),
)
DISTANCE = Kind(
    "get_distance|distance|getDistance|calculate_distance|route|get_route|directions",
    "Distance between two cities.|Get the distance|How far two places are apart|Route between cities",
    (
        Parameter("from|from|origin|start|from_city", lambda v: v.city(), descriptions="Start|From where|Origin"),
        Parameter("to|to|destination|end|to_city", lambda v: v.city(), descriptions="Destination|Where to"),
    ),
    (
        "{opening} [how far is it|what is the distance|{wonder} the distance|tell me the distance"
        "|how many km is it|how many miles is it|how long is the way|how far] from <0> to <1>{closing}?",
        "[What is|Give me|Compute|What's|{wonder}] the distance between <0> and <1>[?|.]",
        "[distance|route|way|directions] [from|] <0> to <1>[?||.| please]",
        "[I drive|I go|We travel|She walks|We drive] from <0> to <1>[, how far is it|. How many km"
        "|, what distance is that]?",
        "How far [is|are] <0> and <1> apart?",
    ),
    field("km|distance|distance_km|kilometers", "It is {value} km from {0} to {1}.", lambda v: v.number(10, 999)),
)
BOOK = Kind(
    "book_table|bookTable|reserve_table|make_reservation|book_restaurant|reserve",
    "Books a table.|Reserve a table in a restaurant|Restaurant reservation",
    (
        Parameter("restaurant|restaurant|name|place|where", lambda v: v.last(), descriptions="The restaurant|Where"),
        Parameter(
            "people|people|guests|party_size|persons",
            lambda v: v.number(1, 12),
            "integer",
            "Number of people|How many|Guests",
        ),
        Parameter("day|day|date|when", lambda v: v.day(), descriptions="The day|When|Which day"),
    ),
    (
        "{opening} [book|reserve|get|{can} book|{can} reserve|I want|I'd like|find] a table at <0> for <1>"
        "[| people| persons| guests][ on | ]<2>{closing}[.|?|]",
        "[Table|A table|Reservation] for <1> at <0>[ on | ]<2>{closing}[.|?|]",
        "[We are|There are] <1> [people|of us]. [Book|Reserve|Get us] [a table at|] <0>[ on | for | ]<2>[.|]",
        "[Reserve|Book] <0>[ on | for ]<2>[,|] <1> [people|guests|persons]{closing}[.|]",
    ),
    outcome("The table at {0} is booked for {1} people.", "ok|booked|confirmed|success"),
)
STOCKROOM = Kind(
    "check_inventory|get_inventory|inventory|check_stock|product_stock|get_product|lookup_product",
    "How many of a product are in stock.|Check the inventory|Stock of a product|Product availability",
    (
        Parameter(
            "product|product|item|name|article",
            lambda v: v.one(PRODUCTS) if v.rng.random() < 0.6 else v.word(),
            descriptions="The product|Which item|Name of the product",
        ),
    ),
    (
        "{opening} [how many|do we have|are there] [<0>s|<0>] [do we have|are in stock|are left|in stock"
        "|are available|left]?",
        "[Is|Is the|Do you have|Have you got] [a|] <0> [in stock|available|on sale|left][?| now?| today?]",
        "[stock|inventory|availability] [of|for] [the|] <0>[?||.]",
        "{opening} [check|look up|{can} check|see] [the stock of|the inventory for|whether we have"
        "|if there is] [a|the|] <0>{closing}[.|?|]",
    ),
    field("quantity|stock|count|available|in_stock", "There are {value} in stock.", lambda v: v.number(0, 999)),
)
KINDS = (
    WEATHER,
    ORDER,
    TIME,
    FORECAST,
    STOCK,
    CONVERT,
    MAIL,
    REMINDER,
    LAMP,
    THERMOSTAT,
    TRANSLATE,
    SEARCH,
    USER,
    DISTANCE,
    BOOK,
    STOCKROOM,
)
WEIGHTS = (9, 6, 4, 3, 3, 3, 3, 2, 3, 2, 2, 2, 2, 2, 2, 2)
