package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Texts and numbers within the bounds of a schema, odd ones among them.
final class RandomScalars {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "null",
            "0",
            "two words",
            "line\nbreak\ttab",
            "\"quoted\" \\ and /",
            "{\"json\":1}",
            "<|end|>",
            "data: x\r\n\r\n",
            "ünïcödé 漢字 👩‍👩‍👧",
            "\u0000\u001f\u007f\u2028\ufeff");

    private static final List<Long> INTEGERS = List.of(0L, 1L, 2L, 7L, 100L, 1000L, 65_536L, (long) Integer.MAX_VALUE);
    /// A character or a class of them, and how often it stands there.
    private static final Pattern ATOM = Pattern.compile("(\\[[^]]+]|.)(\\+|\\{\\d+})?");

    private static final long SOME_SECOND = 1_790_000_000L;
    private static final long SECONDS_FROM_THERE_MAX = 8_000_000_000L;

    private final SplittableRandom random;

    RandomScalars(SplittableRandom random) {
        this.random = random;
    }

    String word() {
        return Long.toString(random.nextLong(36L * 36 * 36), 36);
    }

    String text(JsonNode schema) {
        if (schema.has("pattern")) {
            return matching(schema.path("pattern").textValue());
        }
        return switch (schema.path("format").asText("")) {
            case "uri" -> "https://example.com/" + word() + "?q=%20" + word();
            case "date" -> LocalDate.EPOCH.plusDays(random.nextInt(40_000)).toString();
            case "" -> bounded(schema);
            default -> throw new IllegalStateException("unknown format of a text: " + schema);
        };
    }

    long integer(JsonNode schema) {
        if (schema.path("format").asText("").equals("unixtime")) {
            return SOME_SECOND + random.nextLong(SECONDS_FROM_THERE_MAX);
        }
        var bound = INTEGERS.get(random.nextInt(INTEGERS.size()));
        return Math.min(
                Math.max(bound, schema.path("minimum").asLong(Long.MIN_VALUE)),
                schema.path("maximum").asLong(Long.MAX_VALUE));
    }

    /// Binary fractions, which are the same numbers in any notation; whole ones among them, written as such.
    JsonNode number(JsonNode schema) {
        if (schema.path("format").asText("").equals("unixtime")) {
            return JsonNodeFactory.instance.numberNode(integer(schema));
        }
        if (schema.has(NovemberTypes.WHOLE)) {
            return JsonNodeFactory.instance.numberNode(random.nextInt(1, 9));
        }
        double least = schema.path("minimum").asDouble(-8);
        double most = schema.path("maximum").asDouble(8);
        double number = least + (most - least) * random.nextInt(65) / 64;
        return number == Math.rint(number) && random.nextBoolean()
                ? JsonNodeFactory.instance.numberNode((long) number)
                : JsonNodeFactory.instance.numberNode(number);
    }

    private String bounded(JsonNode schema) {
        var text = TEXTS.get(random.nextInt(TEXTS.size()));
        int least = schema.path("minLength").asInt(0);
        if (text.codePointCount(0, text.length()) < least) {
            text = "m".repeat(least);
        }
        int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }

    private String matching(String pattern) {
        var text = new StringBuilder();
        var atoms = ATOM.matcher(pattern.substring(1, pattern.length() - 1));
        while (atoms.find()) {
            var times = atoms.group(2);
            int count = times == null
                    ? 1
                    : times.equals("+")
                            ? random.nextInt(1, 9)
                            : Integer.parseInt(times.substring(1, times.length() - 1));
            var one = Pattern.compile(atoms.group(1));
            for (int i = 0; i < count; i++) {
                text.append(oneOf(one));
            }
        }
        if (!Pattern.matches(pattern, text)) {
            throw new IllegalStateException("unknown in a pattern: " + pattern);
        }
        return text.toString();
    }

    private String oneOf(Pattern one) {
        while (true) {
            var candidate = Character.toString(random.nextInt(' ', 127));
            if (one.matcher(candidate).matches()) {
                return candidate;
            }
        }
    }
}
