package dev.counterpoint.structured.text;

/// Patterns as JSON Schema has them: regular expressions of ECMA-262 with the flag `u`, which may match anywhere in a text.
public final class EcmaPattern {
    private EcmaPattern() {}

    /// The texts in which the pattern is found.
    ///
    /// @throws UnsupportedPatternException when it is malformed or has what no automaton can do
    public static TextPattern parse(String source) {
        return TextPattern.concat(TextPattern.anything(), TextPattern.literal(source), TextPattern.anything());
    }
}
