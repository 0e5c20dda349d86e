package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/// JSON in its canonical form (RFC 8785), which does not depend on the writer: members in order of their names, no
/// blanks, numbers and texts as ECMAScript writes them.
public final class CanonicalJson {
    /// Larger numbers have an exponent, and so have smaller ones with more zeros behind the point.
    private static final int DIGITS_MAX = 21;

    private static final int ZEROS_MAX = 5;

    private static final String ESCAPED = "\"\\\b\t\n\f\r";
    private static final String ESCAPES = "\"\\btnfr";

    private CanonicalJson() {}

    /// The canonical form of a text; the text itself where it is no JSON.
    static String ofText(String text) {
        try {
            return of(WireJson.parse(text.getBytes(StandardCharsets.UTF_8)));
        } catch (WireException e) {
            return text;
        }
    }

    public static String of(JsonNode value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(JsonNode value, StringBuilder out) {
        if (value.isObject()) {
            var members = new TreeMap<String, JsonNode>(); // by UTF-16 code units, as the RFC has it
            value.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            var between = "{";
            for (var member : members.entrySet()) {
                text(member.getKey(), out.append(between));
                write(member.getValue(), out.append(':'));
                between = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value.isArray()) {
            var between = "[";
            for (var element : value) {
                write(element, out.append(between));
                between = ",";
            }
            out.append(value.isEmpty() ? "[]" : "]");
        } else if (value.isTextual()) {
            text(value.textValue(), out);
        } else {
            out.append(value.isNumber() && Double.isFinite(value.doubleValue()) ? number(value.doubleValue()) : value);
        }
    }

    private static void text(String text, StringBuilder out) {
        out.append('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\') {
                continue;
            }
            int escape = ESCAPED.indexOf(c);
            out.append(text, written, i);
            out.append(escape >= 0 ? "\\" + ESCAPES.charAt(escape) : "\\u%04x".formatted((int) c));
            written = i + 1;
        }
        out.append(text, written, text.length()).append('"');
    }

    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        var shortest = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
        var one = shortest.round(new MathContext(1)); // Java always has two digits
        var exact = one.doubleValue() == Math.abs(value) ? one.stripTrailingZeros() : shortest;
        var digits = exact.unscaledValue().toString();
        int point = digits.length() - exact.scale();
        return (value < 0 ? "-" : "") + number(digits, point);
    }

    /// @param point place of the decimal point, counted from before the first digit
    private static String number(String digits, int point) {
        if (point > DIGITS_MAX || point < -ZEROS_MAX) {
            int exponent = point - 1;
            var rest = digits.length() == 1 ? "" : "." + digits.substring(1);
            return digits.charAt(0) + rest + "e" + (exponent < 0 ? "" : "+") + exponent;
        }
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        return point >= digits.length()
                ? digits + "0".repeat(point - digits.length())
                : digits.substring(0, point) + "." + digits.substring(point);
    }
}
