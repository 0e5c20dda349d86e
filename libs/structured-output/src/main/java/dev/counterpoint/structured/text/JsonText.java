package dev.counterpoint.structured.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;

/// How JSON spells what is not a list or an object.
public final class JsonText {
    private JsonText() {}

    /// A string that the pattern matches, in quotes, in the spelling [Spelling#JSON].
    public static Regex string(RegexPool pool, TextPattern pattern) {
        return new Speller(pool, Spelling.JSON).quoted(pattern);
    }

    /// Any string, in quotes, in the spelling [Spelling#JSON_ESCAPES].
    public static Regex anyString(RegexPool pool) {
        return new Speller(pool, Spelling.JSON_ESCAPES).quoted(TextPattern.anything());
    }

    /// Any string of so many characters, in quotes, in the spelling [Spelling#JSON_ESCAPES].
    ///
    /// @param max at least `min`, or [Regex#UNBOUNDED]
    public static Regex stringOfLength(RegexPool pool, int min, int max) {
        return new Speller(pool, Spelling.JSON_ESCAPES).quoted(TextPattern.length(min, max));
    }

    /// This string, boolean, number or null.
    public static Regex value(RegexPool pool, JsonNode scalar) {
        return switch (scalar.getNodeType()) {
            case STRING -> string(pool, TextPattern.literal(scalar.textValue()));
            case BOOLEAN, NULL -> pool.literal(scalar.toString());
            case NUMBER -> Numbers.literal(pool, scalar.decimalValue());
            case ARRAY, OBJECT, BINARY, POJO, MISSING ->
                throw new IllegalArgumentException(scalar.getNodeType() + " is no scalar");
        };
    }
}
