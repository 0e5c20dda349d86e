package dev.counterpoint.structured.text;

/// Patterns as JSON Schema has them: regular expressions of ECMA-262 with the flag `u`, which may match anywhere in
/// a text. Beyond these it takes what other dialects have where the meaning is clear: `\A`, `\Z`, `\z`, `(?i)`,
/// `(?s)`,
/// `(?P<name>...)`, needless escapes.
public final class EcmaPattern {
    private static final int LENGTH_MAX = 50_000;

    private EcmaPattern() {}

    /// The texts in which the pattern is found.
    ///
    /// @throws UnsupportedPatternException when it is malformed or has what cannot be done here: backreferences,
    ///     possessive quantifiers, atomic groups, lookbehind of more than one character, most assertions in
    ///     unbounded repetitions
    public static TextPattern parse(String source) {
        return EcmaSearch.of(new EcmaParser(checked(source)).parse());
    }

    /// The texts that a pattern of Python or Rust matches from their start to their end: a dot is every character
    /// but a line feed. Classes such as `\d` are of ASCII characters here too.
    ///
    /// @throws UnsupportedPatternException as [#parse]
    public static TextPattern parseWhole(String source) {
        return parseWhole(source, false, false);
    }

    /// @param ignoreCase as with the flag `i`
    /// @param dotAll as with the flag `s`
    public static TextPattern parseWhole(String source, boolean ignoreCase, boolean dotAll) {
        return EcmaSearch.whole(
                EcmaParser.ofWhole(checked(source), ignoreCase, dotAll).parse());
    }

    private static String checked(String source) {
        if (source.length() > LENGTH_MAX) {
            throw new UnsupportedPatternException("More than " + LENGTH_MAX + " characters", LENGTH_MAX);
        }
        return source;
    }
}
