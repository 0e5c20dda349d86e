"""What functions return, as text, and the sentence that reports it. Each maker takes the values and the arguments."""

import json

from tiny.conversations.values import bars

ERRORS = bars(
    "not found|city not found|order not found|timeout|no access|unknown id|service unavailable"
    "|invalid request|no data|bad request|internal error"
)
SKIES = bars(
    "sunny|cloudy|rainy|windy|snowy|foggy|clear|partly cloudy|stormy|light rain|overcast|heavy rain"
    "|drizzle|hail|thunderstorms|mild|clear sky|light snow|showers|dry"
)


def written(v, members):
    """JSON as programs print it: with and without blanks, now and then on several lines."""
    share = v.rng.random()
    if share < 0.06:
        return json.dumps(members, ensure_ascii=False, indent=2)
    return json.dumps(members, ensure_ascii=False, separators=(",", ":") if share < 0.55 else (", ", ": "))


def failed(v):
    """A function that reports an error."""
    error = v.one(ERRORS) if v.rng.random() < 0.7 else v.words(1, 3)
    return written(v, {v.one(["error", "error", "message", "detail"]): error}), f"The tool reports an error: {error}."


def money(v):
    return v.one(
        [v.number(1, 9999), v.number(1, 999), round(v.rng.uniform(1, 999), 2), round(v.rng.uniform(1, 999), 1)]
    )


def conditions(v, arguments):
    """The weather: a temperature, mostly with a sky, in any order and under any usual name."""
    city = arguments[0]
    fahrenheit = v.rng.random() < 0.08
    degrees = v.number(14, 110) if fahrenheit else v.number(-20, 42)
    if v.rng.random() < 0.15:
        degrees = round(degrees + v.number(1, 9) / 10, 1)
    sky = v.one(SKIES) if v.rng.random() < 0.85 else v.word()
    name = v.one(
        ["temperature_fahrenheit", "temp_f"]
        if fahrenheit
        else [
            "temperature_celsius",
            "temperature_celsius",
            "temperature",
            "temp_c",
            "temp",
            "temperature_c",
            "celsius",
            "degrees",
        ]
    )
    members = [(name, degrees)]
    clear = v.rng.random() < 0.85
    if clear:
        members.append((v.one(["sky", "sky", "condition", "conditions", "description", "weather", "summary"]), sky))
    if v.rng.random() < 0.25:
        v.rng.shuffle(members)
    if v.rng.random() < 0.45:
        members.insert(0, (v.one(["city", "city", "location", "place"]), city))
    if v.rng.random() < 0.25:
        members.append((v.one(["humidity", "wind", "wind_kmh", "uv_index", "pressure"]), v.number(1, 99)))
    if v.rng.random() < 0.05:
        return f"{degrees} degrees and {sky}", f"It is {degrees} degrees and {sky} in {city}."
    unit = "°F" if fahrenheit else "°C"
    return written(v, dict(members)), f"It is {degrees} {unit}{f' and {sky}' if clear else ''} in {city}."


def field(names, says, value, extra=None, extra_says="", extra_value=None):
    """One value that matters, and maybe a second one; the arguments may be repeated beside it."""

    def make(v, arguments):
        found = value(v)
        members, answer = {}, says.format(*arguments, value=found)
        if v.rng.random() < 0.35:
            members[v.one(["id", "name", "query", "input", "symbol", "city", "order_id"])] = arguments[0]
        members[v.one(names.split("|"))] = found
        if extra and v.rng.random() < 0.6:
            second = extra_value(v)
            members[v.one(extra.split("|"))] = second
            answer += extra_says.format(extra=second)
        return written(v, members), answer

    return make


def prose(names):
    """Some members, read out one after the other; or a text as it is."""

    def make(v, arguments):
        del arguments
        if v.rng.random() < 0.25:
            text = v.words(1, 5)
            return text, f"The result is: {text}"
        keys = v.rng.sample([*names.split("|"), v.word(), v.word()], v.number(1, 3))
        members = {key: _any(v) for key in keys}
        return written(v, members), " ".join(f"The {key} is {_spoken(value)}." for key, value in members.items())

    return make


def _any(v):
    return v.one(
        [lambda: v.number(0, 999), v.word, lambda: v.words(2, 3), v.city, v.date, lambda: v.rng.random() < 0.5]
    )()


def _spoken(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def outcome(says, names):
    """Something was done."""

    def make(v, arguments):
        members = {v.one(names.split("|")): True}
        if v.rng.random() < 0.3:
            members = {"status": v.one(["ok", "done", "success"])}
        if v.rng.random() < 0.3:
            members[v.one(["id", "message_id", "state", "request"])] = v.one(
                [v.number(1, 999), v.word(), arguments[-1]]
            )
        return written(v, members), says.format(*arguments)

    return make
