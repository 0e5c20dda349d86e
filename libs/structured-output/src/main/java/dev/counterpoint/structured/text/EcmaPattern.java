package dev.counterpoint.structured.text;

/// Patterns as JSON Schema has them: regular expressions of ECMA-262 with the flag `u`, which may match anywhere in a
/// text. Beyond these it takes what other dialects have where the meaning is clear: `\A`, `\Z`, `\z`, `(?i)`, `(?s)`,
/// `(?P<name>...)`, needless escapes.
public final class EcmaPattern {
    private static final int LENGTH_MAX = 50_000;

    private EcmaPattern() {}

    /// The texts in which the pattern is found.
    ///
    /// @throws UnsupportedPatternException when it is malformed or has what cannot be done here: backreferences, possessive
    ///     quantifiers and atomic groups, lookbehind of more than one character, most assertions in an unbounded repetition
    public static TextPattern parse(String source) {
        return EcmaSearch.of(node(source));
    }

    /// The texts that the pattern matches from their start to their end.
    ///
    /// @throws UnsupportedPatternException as [#parse]
    public static TextPattern parseWhole(String source) {
        return EcmaSearch.whole(node(source));
    }

    private static EcmaNode node(String source) {
        if (source.length() > LENGTH_MAX) {
            throw new UnsupportedPatternException("More than " + LENGTH_MAX + " characters", LENGTH_MAX);
        }
        return new EcmaParser(source).parse();
    }
}
