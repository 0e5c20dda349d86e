package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import java.util.ArrayList;
import java.util.List;

/// A set of texts, described by a regular expression over characters. It always speaks of whole texts. Immutable;
/// parts may be shared.
public abstract sealed class TextPattern {
    /// Of a concatenation: derivatives descend into it.
    private static final int PARTS_MAX = 1_000;
    private static final int DEPTH_MAX = 500;
    private static final int OPTIONAL_MAX = 100;

    private static final TextPattern NOTHING = new OneOf(Characters.NONE);
    private static final TextPattern EMPTY = new Literal("");
    private static final TextPattern ANY_CHARACTER = new OneOf(Characters.ALL);
    private static final TextPattern ANYTHING = new Repeat(ANY_CHARACTER, 0, Regex.UNBOUNDED);

    private final boolean nullable;
    private final int depth;

    private TextPattern(boolean nullable, List<TextPattern> parts) {
        this.nullable = nullable;
        int deepest = 0;
        for (var part : parts) {
            deepest = Math.max(deepest, part.depth);
        }
        depth = deepest + 1;
        if (depth > DEPTH_MAX) {
            throw new TooComplexException("A pattern is nested too deep.");
        }
    }

    static final class OneOf extends TextPattern {
        final Characters characters;

        OneOf(Characters characters) {
            super(false, List.of());
            this.characters = characters;
        }
    }

    static final class Literal extends TextPattern {
        final String text;

        Literal(String text) {
            super(text.isEmpty(), List.of());
            this.text = text;
        }
    }

    static final class Concat extends TextPattern {
        final List<TextPattern> parts;

        Concat(List<TextPattern> parts) {
            super(parts.stream().allMatch(TextPattern::nullable), parts);
            this.parts = List.copyOf(parts);
        }
    }

    static final class Or extends TextPattern {
        final List<TextPattern> parts;

        Or(List<TextPattern> parts) {
            super(parts.stream().anyMatch(TextPattern::nullable), parts);
            this.parts = List.copyOf(parts);
        }
    }

    static final class And extends TextPattern {
        final List<TextPattern> parts;

        And(List<TextPattern> parts) {
            super(parts.stream().allMatch(TextPattern::nullable), parts);
            this.parts = List.copyOf(parts);
        }
    }

    static final class Not extends TextPattern {
        final TextPattern part;

        Not(TextPattern part) {
            super(!part.nullable(), List.of(part));
            this.part = part;
        }
    }

    static final class Repeat extends TextPattern {
        final TextPattern part;
        final int min;
        final int max;

        Repeat(TextPattern part, int min, int max) {
            super(min == 0 || part.nullable(), List.of(part));
            this.part = part;
            this.min = min;
            this.max = max;
        }
    }

    /// No text.
    public static TextPattern nothing() {
        return NOTHING;
    }

    /// The empty text alone.
    public static TextPattern empty() {
        return EMPTY;
    }

    /// Every text.
    public static TextPattern anything() {
        return ANYTHING;
    }

    /// Every text of so many characters.
    ///
    /// @param max at least `min`, or [Regex#UNBOUNDED]
    public static TextPattern length(int min, int max) {
        return repeat(ANY_CHARACTER, min, max);
    }

    /// One character of the set.
    public static TextPattern of(Characters characters) {
        return characters.isEmpty() ? NOTHING : new OneOf(characters);
    }

    /// This text alone. One that has lone surrogates cannot be spelled and never matches.
    public static TextPattern literal(String text) {
        boolean wellFormed = text.codePoints().noneMatch(TextPattern::isSurrogate);
        return text.isEmpty() ? EMPTY : wellFormed ? new Literal(text) : NOTHING;
    }

    /// This text in any case.
    public static TextPattern literalIgnoringCase(String text) {
        return concat(text.codePoints()
                .mapToObj(one -> of(CaseFolding.close(Characters.of(one))))
                .toList());
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /// One after the other.
    public static TextPattern concat(TextPattern... parts) {
        return concat(List.of(parts));
    }

    /// @throws TooComplexException when they are more than can be handled
    public static TextPattern concat(List<TextPattern> parts) {
        var flat = new ArrayList<TextPattern>();
        for (var part : parts) {
            for (var member : part instanceof Concat inner ? inner.parts : List.of(part)) {
                if (member == NOTHING) {
                    return NOTHING;
                }
                append(member, flat);
            }
        }
        if (flat.size() > PARTS_MAX
                || flat.stream().filter(TextPattern::nullable).count() > OPTIONAL_MAX) {
            throw new TooComplexException("A pattern has too many parts in a row.");
        }
        return flat.isEmpty() ? EMPTY : flat.size() == 1 ? flat.getFirst() : new Concat(flat);
    }

    /// Beside anything only the least of a repetition counts.
    private static void append(TextPattern part, List<TextPattern> parts) {
        if (part == ANYTHING) {
            while (!parts.isEmpty()) {
                var before = parts.removeLast();
                var least = least(before);
                if (least != EMPTY) {
                    parts.add(least);
                }
                if (least == before) {
                    break;
                }
            }
            parts.add(ANYTHING);
            return;
        }
        var added = !parts.isEmpty() && parts.getLast() == ANYTHING ? least(part) : part;
        if (added != EMPTY) {
            parts.add(added);
        }
    }

    private static TextPattern least(TextPattern part) {
        if (part.nullable) {
            return EMPTY;
        }
        return part instanceof Repeat counted && counted.min < counted.max
                ? repeat(counted.part, counted.min, counted.min)
                : part;
    }

    /// Any of them.
    public static TextPattern or(TextPattern... choices) {
        return or(List.of(choices));
    }

    public static TextPattern or(List<TextPattern> choices) {
        var characters = Characters.NONE;
        var others = new ArrayList<TextPattern>();
        for (var choice : choices) {
            if (choice == ANYTHING) {
                return ANYTHING;
            }
            if (choice instanceof OneOf one) {
                characters = characters.or(one.characters);
            } else if (!others.contains(choice)) {
                others.add(choice);
            }
        }
        if (!characters.isEmpty()) {
            others.add(of(characters));
        }
        return others.isEmpty() ? NOTHING : others.size() == 1 ? others.getFirst() : new Or(others);
    }

    /// What all of them match.
    public static TextPattern and(TextPattern... parts) {
        return and(List.of(parts));
    }

    public static TextPattern and(List<TextPattern> parts) {
        var flat = new ArrayList<TextPattern>();
        for (var part : parts) {
            for (var member : part instanceof And inner ? inner.parts : List.of(part)) {
                if (member == NOTHING) {
                    return NOTHING;
                }
                if (member != ANYTHING && !flat.contains(member)) {
                    flat.add(member);
                }
            }
        }
        if (flat.contains(EMPTY)) {
            return flat.stream().allMatch(TextPattern::nullable) ? EMPTY : NOTHING;
        }
        return flat.isEmpty() ? ANYTHING : flat.size() == 1 ? flat.getFirst() : new And(flat);
    }

    /// Every text that does not match.
    public static TextPattern not(TextPattern part) {
        if (part instanceof Not inner) {
            return inner.part;
        }
        return part == NOTHING ? ANYTHING : part == ANYTHING ? NOTHING : new Not(part);
    }

    /// @param min at least 0
    /// @param max at least `min`, or [Regex#UNBOUNDED]
    public static TextPattern repeat(TextPattern part, int min, int max) {
        if (max < min || min < 0) {
            throw new IllegalArgumentException("repeat from " + min + " to " + max);
        }
        if (max == 0 || part == EMPTY || part == NOTHING && min == 0) {
            return EMPTY;
        }
        if (isAnyCharacter(part) && min == 0 && max == Regex.UNBOUNDED) {
            return ANYTHING;
        }
        return part == NOTHING || min == 1 && max == 1 ? part : new Repeat(part, min, max);
    }

    private static boolean isAnyCharacter(TextPattern part) {
        return part instanceof OneOf one && one.characters.equals(Characters.ALL);
    }

    /// True if it matches the empty text.
    public boolean nullable() {
        return nullable;
    }

    /// The same as an expression over bytes.
    ///
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the current work limit does not suffice
    public Regex toRegex(RegexPool pool, Spelling spelling) {
        return new Speller(pool, spelling).spell(this);
    }
}
