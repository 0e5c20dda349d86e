package dev.counterpoint.structured;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Ways in which one value may be written, each plainer than the one before: what one decoder takes and another one
/// does not is a matter of spelling when both take the value in a plainer one.
enum Respelling {
    /// Blanks stand as Python writes them.
    BLANKS,
    /// Characters are escaped only where they must be.
    ESCAPES,
    /// A name stands once in an object.
    REPEATED_NAMES,
    /// Integers are digits alone, others have neither an exponent nor zeros at their end.
    NUMBERS,
    /// Members stand in the order of the schema.
    ORDER,
    /// No number has very many digits. Another value, and it differs in nothing else.
    FEW_DIGITS;

    private static final String MANY_DIGITS = "([0-9]{20})[0-9]{12,}";

    /// @throws IOException when the text is no JSON
    String of(String text, JsonNode schema) throws IOException {
        return switch (this) {
            case BLANKS -> withPlainBlanks(text);
            case ESCAPES -> escaped(text);
            case REPEATED_NAMES -> written(SchemaCase.JSON.readTree(text), false, List.of());
            case NUMBERS -> written(SchemaCase.JSON.readTree(text), true, List.of());
            case ORDER -> written(SchemaCase.JSON.readTree(text), true, names(schema));
            case FEW_DIGITS -> ORDER.of(text, schema).replaceAll(MANY_DIGITS, "$1");
        };
    }

    private static String escaped(String text) throws IOException {
        try (var in = SchemaCase.JSON.createParser(text)) {
            in.nextToken();
            return PythonJson.of(in);
        }
    }

    /// Keeps the spelling of strings.
    private static String withPlainBlanks(String text) {
        var out = new StringBuilder();
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inside) {
                out.append(c);
                if (c == '\\') {
                    out.append(text.charAt(++i));
                } else {
                    inside = c != '"';
                }
            } else if (!Character.isWhitespace(c)) {
                out.append(c == ':' ? ": " : c == ',' ? ", " : String.valueOf(c));
                inside = c == '"';
            }
        }
        return out.toString();
    }

    private static String written(JsonNode value, boolean numbers, List<String> order) throws JsonProcessingException {
        var parts = new ArrayList<String>();
        if (value.isObject()) {
            var names = new ArrayList<String>();
            value.fieldNames().forEachRemaining(names::add);
            names.sort(Comparator.comparingInt(name -> order.contains(name) ? order.indexOf(name) : order.size()));
            for (var name : names) {
                parts.add(PythonJson.string(name) + ": " + written(value.path(name), numbers, order));
            }
            return "{" + String.join(", ", parts) + "}";
        }
        if (value.isArray()) {
            for (var member : value) {
                parts.add(written(member, numbers, order));
            }
            return "[" + String.join(", ", parts) + "]";
        }
        if (value.isTextual()) {
            return PythonJson.string(value.textValue());
        }
        return value.isNumber() && numbers ? plain(value.decimalValue()) : value.toString();
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /// All names of properties, as the schema lists them.
    private static List<String> names(JsonNode schema) {
        var names = new LinkedHashSet<String>();
        for (var properties : schema.findValues("properties")) {
            properties.fieldNames().forEachRemaining(names::add);
        }
        return List.copyOf(names);
    }
}
