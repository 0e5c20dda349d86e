package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.TextPattern.And;
import dev.counterpoint.structured.text.TextPattern.Concat;
import dev.counterpoint.structured.text.TextPattern.Literal;
import dev.counterpoint.structured.text.TextPattern.Not;
import dev.counterpoint.structured.text.TextPattern.OneOf;
import dev.counterpoint.structured.text.TextPattern.Or;
import dev.counterpoint.structured.text.TextPattern.Repeat;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Makes expressions over bytes of patterns over characters. A text has one or more spellings and a spelling is of
/// one text: so what holds for texts (AND, OR, NOT) holds for their spellings. Not thread-safe.
final class Speller {
    private final RegexPool pool;
    private final CharacterSpelling characters;
    private final Map<TextPattern, Regex> patterns = new IdentityHashMap<>();
    private final Spelling spelling;

    private record Spelled(Spelling spelling, Characters characters) {}

    Speller(RegexPool pool, Spelling spelling) {
        this.pool = pool;
        this.spelling = spelling;
        characters = new CharacterSpelling(pool, spelling);
    }

    Regex spell(TextPattern pattern) {
        var known = patterns.get(pattern);
        if (known == null) {
            WorkLimit.spend(1);
            known = spellNew(pattern);
            patterns.put(pattern, known);
        }
        return known;
    }

    /// Between quotes.
    Regex quoted(TextPattern pattern) {
        var parts = new ArrayList<Regex>();
        parts.add(pool.literal("\""));
        addParts(pattern, parts);
        parts.add(pool.literal("\""));
        return pool.concat(parts);
    }

    private Regex spellNew(TextPattern pattern) {
        return switch (pattern) {
            case OneOf one -> spell(one.characters);
            case Literal _, Concat _ -> {
                var parts = new ArrayList<Regex>();
                addParts(pattern, parts);
                yield pool.concat(parts);
            }
            case Or or -> pool.or(spellAll(or.parts));
            case And and -> pool.and(spellAll(and.parts));
            case Not not -> pool.and(spell(TextPattern.anything()), pool.not(spell(not.part)));
            case Repeat repeat -> pool.repeat(spell(repeat.part), repeat.min, repeat.max);
        };
    }

    /// A loop, not a stream: patterns are deep and stacks are small.
    private List<Regex> spellAll(List<TextPattern> patterns) {
        var result = new ArrayList<Regex>(patterns.size());
        for (var pattern : patterns) {
            result.add(spell(pattern));
        }
        return result;
    }

    private void addParts(TextPattern pattern, List<Regex> parts) {
        switch (pattern) {
            case Concat concat -> concat.parts.forEach(part -> addParts(part, parts));
            case Literal literal -> literal.text.codePoints().forEach(one -> parts.add(spell(Characters.of(one))));
            default -> parts.add(spell(pattern));
        }
    }

    private Regex spell(Characters set) {
        return pool.remembered(new Spelled(spelling, set), () -> characters.of(set));
    }
}
