package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.text.EcmaPattern;
import dev.counterpoint.structured.text.Formats;
import dev.counterpoint.structured.text.NumberRange;
import dev.counterpoint.structured.text.TextPattern;
import dev.counterpoint.structured.text.UnsupportedPatternException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the keywords about numbers and strings.
final class ScalarReader {
    private final SchemaScope context;
    private final Map<String, TextPattern> patterns = new HashMap<>();

    ScalarReader(SchemaScope context) {
        this.context = context;
    }

    /// The formula of the keyword for strings, or null if it has none.
    @Nullable
    Formula string(Place place, String keyword, boolean holds) {
        return switch (keyword) {
            case "minLength" -> length(SchemaScope.count(place, keyword), Regex.UNBOUNDED, holds);
            case "maxLength" -> length(0, SchemaScope.count(place, keyword), holds);
            case "pattern" -> pattern(place, holds);
            case "format" -> format(place, holds);
            default -> null;
        };
    }

    private static Formula length(int min, int max, boolean holds) {
        if (holds) {
            return min == 0 && max == Regex.UNBOUNDED ? Formula.TRUE : new Fact(StringShape.ofLength(min, max));
        }
        if (min > 0) {
            return new Fact(StringShape.ofLength(0, min - 1));
        }
        return max == Regex.UNBOUNDED ? Formula.FALSE : new Fact(StringShape.ofLength(max + 1, Regex.UNBOUNDED));
    }

    private Formula pattern(Place place, boolean holds) {
        if (!place.get("pattern").isTextual()) {
            throw place.invalid("pattern", "a string");
        }
        try {
            return pattern(parsed(place.get("pattern").textValue()), holds);
        } catch (UnsupportedPatternException e) {
            return context.unsupported(place, "pattern", "cannot be enforced: " + e.getMessage());
        }
    }

    private static Formula pattern(TextPattern pattern, boolean holds) {
        return new Fact(StringShape.of(holds ? pattern : TextPattern.not(pattern)));
    }

    /// The same object for the same source.
    TextPattern parsed(String source) {
        return patterns.computeIfAbsent(source, EcmaPattern::parse);
    }

    private @Nullable Formula format(Place place, boolean holds) {
        var name = place.get("format");
        if (!name.isTextual()) {
            throw place.invalid("format", "a string");
        }
        var pattern = Formats.find(name.textValue()).orElse(null);
        if (pattern == null) {
            context.note(place, "format", "'" + name.textValue() + "' is not a format that restricts values here.");
            return Formula.of(holds);
        }
        return holds
                ? pattern(pattern, true)
                : context.unsupported(place, "format", "cannot be negated: validators differ in what has this format.");
    }

    /// The formula of the keyword for numbers, or null if it has none.
    @Nullable
    Formula number(Place place, String keyword, boolean holds) {
        return switch (keyword) {
            case "minimum" -> bound(place, keyword, holds);
            case "maximum" -> bound(place, keyword, holds);
            case "exclusiveMinimum", "exclusiveMaximum" ->
                place.get(keyword).isBoolean() ? null : bound(place, keyword, holds);
            case "multipleOf" -> {
                var factor = SchemaScope.number(place, keyword);
                if (factor.signum() <= 0) {
                    throw place.invalid(keyword, "greater than 0");
                }
                yield new Fact(NumberShape.multiplesOf(factor, holds));
            }
            default -> null;
        };
    }

    private static Formula bound(Place place, String keyword, boolean holds) {
        var bound = SchemaScope.number(place, keyword);
        boolean upper = keyword.endsWith("aximum");
        var older = place.node().path(upper ? "exclusiveMaximum" : "exclusiveMinimum");
        boolean exclusive = keyword.startsWith("e") || older.isBoolean() && older.booleanValue();
        var all = NumberRange.UNBOUNDED;
        if (upper == holds) {
            return new Fact(NumberShape.of(exclusive == holds ? all.lessThan(bound) : all.atMost(bound)));
        }
        return new Fact(NumberShape.of(exclusive == holds ? all.greaterThan(bound) : all.atLeast(bound)));
    }
}
