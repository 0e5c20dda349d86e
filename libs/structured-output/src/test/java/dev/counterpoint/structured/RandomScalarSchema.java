package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Makes schemas of strings, numbers, booleans and null by chance.
final class RandomScalarSchema {
    /// Patterns that match a few strings, anchored or bounded by an enum beside them.
    static final List<String> FINITE_PATTERNS = List.of(
            "^[ab]{1,2}$", "^(red|green|re)$", "^a?b?c$", "^x[0-9]$", "^(?:ja|nein)$", "^é[üö]?$", "^$", "^ab{0,3}$");

    private static final List<String> PATTERNS = List.of(
            "^[a-z]+$", "a", "^ab", "b$", "^[A-Z]{2,4}-\\d{1,3}$", "^\\S+$", "^[^x]*$", "^(a|bc)*$", "\\d", "^.{2,5}$");
    private static final List<String> FORMATS =
            List.of("date", "time", "date-time", "uuid", "ipv4", "ipv6", "hostname", "duration", "uri");
    private static final List<String> WORDS =
            List.of("", "a", "ab", "abc", "b", "red", "x1", "é", "漢字", "😀", "a\"b", "\\");

    private final SchemaDice dice;
    private final boolean finite;

    RandomScalarSchema(SchemaDice dice, boolean finite) {
        this.dice = dice;
        this.finite = finite;
    }

    ObjectNode make() {
        return switch (dice.below(8)) {
            case 0 -> SchemaDice.object().put("type", dice.percent(60) ? "boolean" : "null");
            case 1, 2 -> enumeration();
            case 3 -> SchemaDice.object().set("const", value());
            case 4, 5 -> number();
            case 6 -> string();
            default -> union();
        };
    }

    /// A schema beside one more keyword.
    ObjectNode with(String keyword, JsonNode value) {
        return make().set(keyword, value);
    }

    private ObjectNode union() {
        var schema = integer();
        var types = dice.percent(50) ? List.of("integer", "null") : List.of("boolean", "integer");
        return schema.set("type", SchemaDice.texts(types));
    }

    private ObjectNode enumeration() {
        var schema = SchemaDice.object();
        var values = values();
        schema.set("enum", SchemaDice.array(dice.draw(values, dice.between(1, 5))));
        if (dice.percent(15)) {
            schema.put("minLength", dice.between(1, 2));
        }
        if (dice.percent(15)) {
            schema.put("maximum", 3);
        }
        return dice.percent(20) ? schema.put("pattern", "a") : schema;
    }

    private static List<JsonNode> values() {
        var values = new ArrayList<JsonNode>();
        WORDS.forEach(word -> values.add(SchemaDice.text(word)));
        for (long number : List.of(-1L, 0L, 1L, 2L, 3L, 10L, 12L, 100L)) {
            values.add(SchemaDice.number(number));
        }
        values.addAll(List.of(SchemaDice.bool(true), SchemaDice.bool(false), SchemaDice.none()));
        values.add(SchemaDice.array(List.of()));
        values.add(SchemaDice.array(List.of(SchemaDice.number(1), SchemaDice.text("a"))));
        values.add(SchemaDice.object().put("a", 1));
        return values;
    }

    private JsonNode value() {
        return dice.of(values());
    }

    private ObjectNode number() {
        if (finite || dice.percent(50)) {
            return integer();
        }
        var schema = SchemaDice.object().put("type", "number");
        if (dice.percent(40)) {
            schema.put(dice.percent(50) ? "minimum" : "exclusiveMinimum", decimal());
        }
        if (dice.percent(40)) {
            schema.put(
                    dice.percent(50) ? "maximum" : "exclusiveMaximum", decimal().add(BigDecimal.valueOf(50)));
        }
        if (dice.percent(20)) {
            schema.put("minimum", -400).put("maximum", 400);
            schema.put("multipleOf", new BigDecimal(dice.of(List.of("0.25", "0.5", "3"))));
        }
        return schema;
    }

    private BigDecimal decimal() {
        return BigDecimal.valueOf(dice.between(-400, 400), dice.between(0, 2));
    }

    private ObjectNode integer() {
        var schema = SchemaDice.object().put("type", "integer");
        int low = dice.of(List.of(-12, -1, 0, 0, 1, 3, 8, 95, 1999));
        boolean bounded = finite || dice.percent(50);
        if (bounded || dice.percent(30)) {
            schema.put(dice.percent(75) ? "minimum" : "exclusiveMinimum", low);
        }
        if (bounded || dice.percent(30)) {
            schema.put(dice.percent(75) ? "maximum" : "exclusiveMaximum", low + dice.between(0, finite ? 14 : 1200));
        }
        // The validator divides large numbers with too few digits.
        boolean small = bounded && dice.percent(20);
        return small ? schema.put("multipleOf", dice.of(List.of(2, 3, 5, 7))) : schema;
    }

    private ObjectNode string() {
        var schema = SchemaDice.object().put("type", "string");
        if (finite) {
            schema.put("pattern", dice.of(FINITE_PATTERNS));
        } else if (dice.percent(35)) {
            schema.put("pattern", dice.of(PATTERNS));
        } else if (dice.percent(35)) {
            return schema.put("format", dice.of(FORMATS));
        }
        if (dice.percent(30)) {
            schema.put("minLength", dice.between(0, 2));
        }
        if (dice.percent(30)) {
            schema.put("maxLength", dice.between(2, finite ? 3 : 60));
        }
        return schema;
    }

    /// What a scalar may be excluded from by `not`.
    JsonNode excluded() {
        return switch (dice.below(4)) {
            case 0 -> SchemaDice.object().put("type", dice.of(List.of("string", "null", "boolean")));
            case 1 -> SchemaDice.object().set("const", value());
            case 2 -> SchemaDice.object().put("pattern", "a");
            default -> enumeration();
        };
    }

    /// Schemas that some value may fit together.
    List<JsonNode> overlapping() {
        JsonNode second = dice.percent(50) ? integer() : SchemaDice.object().put("maximum", 5);
        if (dice.percent(50)) {
            return List.of(integer(), second);
        }
        var words = SchemaDice.object().set("enum", SchemaDice.array(dice.draw(values(), 6)));
        return Stream.of(words, string()).map(JsonNode.class::cast).toList();
    }
}
