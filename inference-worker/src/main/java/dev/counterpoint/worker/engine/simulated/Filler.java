package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Fills a [Shape] with values of a text, right in type and order; every enumeration is respected.
final class Filler {
    private static final int OBJECTS_MAX = 10;
    private static final Pattern NUMBER_GROUP =
            Pattern.compile("[(\\[]\\s*(-?[\\d.]+(?:\\s*,\\s*-?[\\d.]+){1,30})\\s*[)\\]]");
    private static final Pattern NUMBER_LIST =
            Pattern.compile("(?<![\\w.])-?\\d{1,15}(?:\\.\\d{1,15})?(?:\\s*,\\s*(?:and )?-?\\d{1,15}"
                    + "(?:\\.\\d{1,15})?){1,200}(?:,? and -?\\d{1,15}(?:\\.\\d{1,15})?)?");
    private static final Pattern NEGATION =
            Pattern.compile("(?i)\\b(?:not|no|never|without|isn't|don't|doesn't)\\b[^.!?]{0,20}$");
    private static final Pattern NO = Pattern.compile("(?i)^(?:no|not|none|false|never|0|off|n)\\b");
    private static final Set<String> SURENESS = Set.of("confidence", "probability", "certainty", "likelihood");
    private static final double SURE = 0.9;
    private static final Map<String, Set<String>> MOODS = Map.of(
            "positive",
            Set.of(
                    "love",
                    "great",
                    "good",
                    "excellent",
                    "amazing",
                    "happy",
                    "wonderful",
                    "fantastic",
                    "best",
                    "like",
                    "enjoy",
                    "perfect"),
            "negative",
            Set.of(
                    "hate",
                    "bad",
                    "terrible",
                    "awful",
                    "sad",
                    "worst",
                    "poor",
                    "broken",
                    "angry",
                    "disappointed",
                    "slow",
                    "horrible"),
            "high",
            Set.of("urgent", "urgently", "immediately", "asap", "critical", "important"));

    private final Facts facts;
    private final FieldText texts;
    private final @Nullable Answer prose;
    private int numbersUsed;

    Filler(Facts facts, @Nullable Answer prose) {
        this.facts = facts;
        this.prose = prose;
        this.texts = new FieldText(facts, prose);
    }

    /// The value of a whole answer: every field, those that nothing fits with an empty value of their type.
    JsonNode whole(Shape shape) {
        var field = new Shape.Field("answer", shape, true, "", null);
        var found = find(field, 0);
        return found == null ? empty(field) : found;
    }

    /// A value that the text offers for this field, or null. `index` tells apart the objects of a list.
    @Nullable
    JsonNode find(Shape.Field field, int index) {
        return switch (field.shape()) {
            case Shape.Text text -> text(field, text.format(), index);
            case Shape.Numeric numeric -> numeric(field, numeric.whole(), index);
            case Shape.Truth() -> truth(field);
            case Shape.Nothing() -> null;
            case Shape.Any() -> text(field, null, index);
            case Shape.Choice(var values) -> choice(values);
            case Shape.ListOf list -> list(field, list);
            case Shape.Fields(var fields) -> {
                var object = object(fields, index);
                yield object.isEmpty() && !field.required() ? null : object;
            }
            case Shape.AnyOf(var shapes) -> anyOf(field, shapes, index);
        };
    }

    /// What stands in a required field that nothing fits.
    JsonNode empty(Shape.Field field) {
        if (field.ifMissing() != null) {
            var given = Json.parse(field.ifMissing());
            if (given != null) {
                return given;
            }
        }
        return switch (field.shape()) {
            case Shape.Text text -> Json.NODES.textNode(emptyText(text.format()));
            case Shape.Numeric numeric -> least(numeric);
            case Shape.Truth() -> Json.NODES.booleanNode(false);
            case Shape.Nothing() -> Json.NODES.nullNode();
            case Shape.Any() -> Json.NODES.textNode("unknown");
            case Shape.Choice(var values) -> parsed(neutral(values));
            case Shape.ListOf several -> {
                var list = Json.NODES.arrayNode();
                for (int i = 0; i < several.minimum(); i++) {
                    list.add(empty(withShape(field, several.item())));
                }
                yield list;
            }
            case Shape.Fields(var fields) -> object(fields, 0);
            case Shape.AnyOf(var shapes) ->
                shapes.contains(new Shape.Nothing()) || shapes.isEmpty()
                        ? Json.NODES.nullNode()
                        : empty(withShape(field, shapes.getFirst()));
        };
    }

    private static JsonNode least(Shape.Numeric numeric) {
        var minimum = numeric.minimum();
        return minimum == null || minimum <= 0
                ? Json.NODES.numberNode(0)
                : number(BigDecimal.valueOf(Math.ceil(minimum)), true);
    }

    private @Nullable JsonNode text(Shape.Field field, @Nullable String format, int index) {
        var byFormat = format == null
                ? List.<String>of()
                : switch (format) {
                    case "email" -> facts.emails();
                    case "date", "date-time" -> facts.dates();
                    case "time" -> facts.times();
                    case "uri", "url" -> facts.urls();
                    default -> List.<String>of();
                };
        if (format != null && byFormat.isEmpty() && !emptyText(format).equals("unknown")) {
            return null;
        }
        var candidates = byFormat.isEmpty() ? texts.candidates(field.name(), field.description()) : byFormat;
        return index < candidates.size() ? Json.NODES.textNode(candidates.get(index)) : null;
    }

    private static String emptyText(@Nullable String format) {
        return switch (format == null ? "" : format) {
            case "email" -> "unknown@example.com";
            case "date" -> "1970-01-01";
            case "date-time" -> "1970-01-01T00:00:00Z";
            case "time" -> "00:00:00Z";
            case "uri", "url" -> "https://example.com/";
            case "uuid" -> "00000000-0000-0000-0000-000000000000";
            case "ipv4" -> "0.0.0.0";
            case "ipv6" -> "::";
            default -> "unknown";
        };
    }

    private @Nullable JsonNode numeric(Shape.Field field, boolean whole, int index) {
        var kind = FieldKind.of(field.name(), field.description());
        if (Words.ofIdentifier(field.name()).stream().anyMatch(SURENESS::contains) && !whole) {
            return Json.NODES.numberNode(BigDecimal.valueOf(SURE));
        }
        var named = index == 0 ? beside(field.name()) : null;
        if (named != null) {
            return number(named, whole);
        }
        if ((kind == FieldKind.ANSWER || kind == FieldKind.MONEY) && prose != null) {
            var result = Words.number(prose.essence().replaceFirst("^-", ""));
            if (result != null) {
                return number(prose.essence().startsWith("-") ? result.negate() : result, whole);
            }
        }
        int position = kind == FieldKind.OPERAND || kind == FieldKind.UNKNOWN ? numbersUsed++ : index;
        return position < facts.numbers().size() ? number(facts.numbers().get(position), whole) : null;
    }

    /// The number next to the field's own words: `limit 5`, `age: 36`, `36 years old`, `3 guests`.
    private @Nullable BigDecimal beside(String name) {
        var words = Words.ofIdentifier(name);
        var pair = facts.pair(name);
        if (words.isEmpty()) {
            return null;
        }
        var paired = pair == null
                ? null
                : Words.number(pair.replaceFirst("^[$€£]\\s?", "").replaceFirst("\\s.*", ""));
        if (paired != null) {
            return paired;
        }
        var any = String.join("|", words);
        var more = words.contains("age") ? "|years?(?: |-)old|aged" : words.contains("limit") ? "|top|first|last" : "";
        var number = "(-?\\d[\\d,]*(?:\\.\\d+)?)";
        var behind = Pattern.compile("(?i)\\b(?:" + any + more + ")s?(?: (?:is|of|to|at|=))?[: ]+[$€£]?" + number + "|"
                        + number + " (?:" + any + more + ")s?\\b")
                .matcher(facts.text());
        return behind.find() ? Words.number(behind.group(1) == null ? behind.group(2) : behind.group(1)) : null;
    }

    private static JsonNode number(BigDecimal value, boolean whole) {
        var plain = value.stripTrailingZeros();
        boolean integral = plain.scale() <= 0;
        if (integral || whole) {
            return Json.NODES.numberNode(plain.toBigInteger());
        }
        return Json.NODES.numberNode(plain);
    }

    private @Nullable JsonNode truth(Shape.Field field) {
        var pair = facts.pair(field.name());
        if (pair != null) {
            return Json.NODES.booleanNode(!NO.matcher(pair).find());
        }
        for (var word : Words.ofIdentifier(field.name())) {
            if (word.length() < 4) {
                continue;
            }
            var stem = Words.stem(word);
            var mention = Pattern.compile("(?i)\\b" + Pattern.quote(stem)).matcher(facts.text());
            if (mention.find()) {
                boolean negated = NEGATION.matcher(facts.text().substring(0, mention.start()))
                        .find();
                return Json.NODES.booleanNode(!negated);
            }
        }
        return null;
    }

    private @Nullable JsonNode choice(List<String> values) {
        var words = Words.all(facts.text()).stream().map(Words::stem).toList();
        for (var value : values) {
            var own = Words.ofIdentifier(parsed(value).asText()).stream()
                    .map(Words::stem)
                    .toList();
            if (!own.isEmpty() && words.containsAll(own)) {
                return parsed(value);
            }
        }
        for (var value : values) {
            var mood = MOODS.get(Words.lower(parsed(value).asText()));
            if (mood != null
                    && Words.all(facts.text()).stream().map(Words::lower).anyMatch(mood::contains)) {
                return parsed(value);
            }
        }
        return values.size() == 1 ? parsed(values.getFirst()) : null;
    }

    private static String neutral(List<String> values) {
        for (var value : values) {
            if (Set.of("neutral", "medium", "other", "unknown", "none", "auto")
                    .contains(parsed(value).asText())) {
                return value;
            }
        }
        return values.isEmpty() ? "null" : values.getFirst();
    }

    private @Nullable JsonNode list(Shape.Field field, Shape.ListOf list) {
        var filled = Json.NODES.arrayNode();
        switch (list.item()) {
            case Shape.Fields(var fields) -> addObjects(filled, field, fields);
            case Shape.Numeric numeric -> numberList().forEach(one -> filled.add(number(one, numeric.whole())));
            case Shape.ListOf rows when rows.item() instanceof Shape.Numeric -> addNumberGroups(filled);
            case Shape.Choice(var values) -> {
                var one = choice(values);
                if (one != null) {
                    filled.add(one);
                }
            }
            default -> items(field).forEach(filled::add);
        }
        while (filled.size() > list.maximum()) {
            filled.remove(filled.size() - 1);
        }
        return filled.size() < Math.max(1, list.minimum()) ? null : filled;
    }

    private List<String> items(Shape.Field field) {
        var kind = FieldKind.of(field.name(), field.description());
        if (kind == FieldKind.STEPS && prose != null) {
            return prose.thoughts();
        }
        var pair = facts.pair(field.name());
        if (pair != null) {
            return FactFinder.split(pair);
        }
        boolean single = Set.of(FieldKind.SUMMARY, FieldKind.ANSWER, FieldKind.QUERY, FieldKind.CONTENT)
                .contains(kind);
        var found = texts.candidates(field.name(), field.description());
        if (found.isEmpty() || kind == FieldKind.UNKNOWN) {
            return facts.items().isEmpty() ? facts.names() : facts.items();
        }
        return single ? found.subList(0, 1) : found;
    }

    private void addObjects(ArrayNode filled, Shape.Field field, List<Shape.Field> fields) {
        if (prose != null && FieldKind.of(field.name(), "") == FieldKind.STEPS) {
            for (var thought : prose.thoughts()) {
                filled.add(new Filler(
                                FactFinder.find(thought), Answer.say(List.of(thought), thought, Steps.result(thought)))
                        .object(fields, 0));
            }
            return;
        }
        // One object for each part of the text that says something of its own.
        var parts = new ArrayList<Facts>();
        for (var part : facts.text().split("(?<=[.;!?])\\s+|\\n+|, (?=(?:and )?\\p{Lu})| and (?=\\p{Lu})", -1)) {
            var partFacts = FactFinder.find(part);
            if (!partFacts.numbers().isEmpty()
                    || !partFacts.names().isEmpty()
                    || !partFacts.pairs().isEmpty()) {
                parts.add(partFacts);
            }
        }
        for (var part : parts.subList(0, Math.min(OBJECTS_MAX, parts.size()))) {
            var filler = new Filler(part, null);
            if (fields.stream().anyMatch(one -> filler.find(one, 0) != null)) {
                filled.add(new Filler(part, null).object(fields, 0));
            }
        }
    }

    private void addNumberGroups(ArrayNode filled) {
        var group = NUMBER_GROUP.matcher(facts.text());
        while (group.find()) {
            var row = filled.addArray();
            for (var one : group.group(1).split("\\s*,\\s*", -1)) {
                var value = Words.number(one.replaceFirst("^-", ""));
                row.add(number(value == null ? BigDecimal.ZERO : one.startsWith("-") ? value.negate() : value, false));
            }
        }
        if (filled.isEmpty()) {
            var numbers = numberList();
            for (int i = 0; i < numbers.size(); i++) {
                filled.addArray().add(i + 1).add(number(numbers.get(i), false));
            }
        }
    }

    /// The first enumeration of numbers, commas being separators there; else every number.
    private List<BigDecimal> numberList() {
        var list = NUMBER_LIST.matcher(facts.text());
        return list.find()
                ? FactFinder.split(list.group()).stream().map(BigDecimal::new).toList()
                : facts.numbers();
    }

    private JsonNode object(List<Shape.Field> fields, int index) {
        var object = Json.NODES.objectNode();
        boolean people = fields.stream()
                .anyMatch(field ->
                        field.shape() instanceof Shape.ListOf && FieldKind.of(field.name(), "") == FieldKind.PERSON);
        for (var field : fields) {
            // Beside a list of people, the name is that of the thing they do.
            var wanted = people && FieldKind.of(field.name(), "") == FieldKind.NAME
                    ? new Shape.Field("title", field.shape(), field.required(), field.description(), null)
                    : field;
            var found = find(wanted, index);
            if (found != null) {
                object.set(field.name(), found);
            } else if (field.required()) {
                object.set(field.name(), empty(field));
            }
        }
        return object;
    }

    private @Nullable JsonNode anyOf(Shape.Field field, List<Shape> shapes, int index) {
        for (var shape : shapes) {
            var found = find(withShape(field, shape), index);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static Shape.Field withShape(Shape.Field field, Shape shape) {
        return new Shape.Field(field.name(), shape, field.required(), field.description(), null);
    }

    private static JsonNode parsed(String json) {
        var node = Json.parse(json);
        return node == null ? Json.NODES.nullNode() : node;
    }
}
