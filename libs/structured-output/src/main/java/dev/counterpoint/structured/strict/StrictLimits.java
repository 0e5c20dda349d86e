package dev.counterpoint.structured.strict;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/// How large a schema of strict mode is, beside how large OpenAI lets it be. A level is a step from an object to a
/// property or from an array to its items; branches of `anyOf` and references add none.
final class StrictLimits {
    private static final int LEVELS_MAX = 10;
    private static final int PROPERTIES_MAX = 5_000;
    private static final int NAME_CHARACTERS_MAX = 120_000;
    private static final int ENUM_VALUES_MAX = 1_000;
    private static final int FREE_ENUM_VALUES = 250;
    private static final int ENUM_CHARACTERS_MAX = 15_000;
    private static final String REMEDY =
            " Consider reducing the number of enums, or use 'strict: false' to opt out of" + " structured outputs.";

    private final ArrayDeque<Place> open = new ArrayDeque<>();
    private int levels;
    private int properties;
    private int enumValues;
    private long largestEnumCharacters;
    private long nameCharacters;

    private StrictLimits() {}

    private record Place(JsonNode schema, int level) {}

    static StrictLimits of(JsonNode schema) {
        var limits = new StrictLimits();
        limits.open.add(new Place(schema, 0));
        for (var definitions : List.of("$defs", "definitions")) {
            schema.path(definitions).properties().forEach(member -> {
                limits.nameCharacters += characters(member.getKey());
                limits.open.add(new Place(member.getValue(), 0));
            });
        }
        while (!limits.open.isEmpty()) {
            limits.measure(limits.open.removeLast());
        }
        return limits;
    }

    /// The first limit that the schema exceeds.
    Optional<SchemaViolation> violation() {
        if (levels > LEVELS_MAX) {
            return exceeds("%d levels of nesting exceeds limit of %d.", levels, LEVELS_MAX);
        }
        if (properties > PROPERTIES_MAX) {
            return exceeds("%d parameters exceeds limit of %d.", properties, PROPERTIES_MAX);
        }
        if (enumValues > ENUM_VALUES_MAX) {
            return exceeds(
                    "Expected at most %2$d enum values in total within a single schema when using structured outputs,"
                            + " but received %1$d." + REMEDY,
                    enumValues,
                    ENUM_VALUES_MAX);
        }
        if (largestEnumCharacters > ENUM_CHARACTERS_MAX) {
            return exceeds(
                    "Expected at most %2$d total characters across enum values when there are more than "
                            + FREE_ENUM_VALUES + " enum values, but received %1$d." + REMEDY,
                    largestEnumCharacters,
                    ENUM_CHARACTERS_MAX);
        }
        if (nameCharacters > NAME_CHARACTERS_MAX) {
            return exceeds(
                    "Expected at most %2$d total characters across property names, definition names, enum values and"
                            + " const values within a single schema when using structured outputs, but received %1$d."
                            + REMEDY,
                    nameCharacters,
                    NAME_CHARACTERS_MAX);
        }
        return Optional.empty();
    }

    private static Optional<SchemaViolation> exceeds(String sentence, long size, int limit) {
        return Optional.of(new SchemaViolation(sentence.formatted(size, limit)));
    }

    private void measure(Place place) {
        levels = Math.max(levels, place.level);
        var schema = place.schema;
        for (var member : schema.path("properties").properties()) {
            properties++;
            nameCharacters += characters(member.getKey());
            open.add(new Place(member.getValue(), place.level + 1));
        }
        if (schema.has("items")) {
            open.add(new Place(schema.get("items"), place.level + 1));
        }
        schema.path("anyOf").forEach(branch -> open.add(new Place(branch, place.level)));
        if (schema.has("const")) {
            nameCharacters += characters(schema.get("const"));
        }
        measureEnum(schema.path("enum"));
    }

    private void measureEnum(JsonNode values) {
        long texts = 0;
        long all = 0;
        for (var value : values) {
            long length = characters(value);
            all += length;
            texts += value.isTextual() ? length : 0;
        }
        enumValues += values.size();
        nameCharacters += all;
        if (values.size() > FREE_ENUM_VALUES) {
            largestEnumCharacters = Math.max(largestEnumCharacters, texts);
        }
    }

    /// Characters of all names and plain values inside, however deep they lie.
    private static long characters(JsonNode value) {
        if (value.isTextual()) {
            return characters(value.textValue());
        }
        long sum = 0;
        var inside = new ArrayDeque<JsonNode>();
        inside.add(value);
        while (!inside.isEmpty()) {
            var next = inside.removeLast();
            if (!next.isContainerNode()) {
                sum += characters(next.asText());
            }
            for (var member : next.properties()) {
                sum += characters(member.getKey());
            }
            next.forEach(inside::add);
        }
        return sum;
    }

    private static int characters(String text) {
        return text.codePointCount(0, text.length());
    }
}
