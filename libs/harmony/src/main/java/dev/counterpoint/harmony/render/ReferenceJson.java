package dev.counterpoint.harmony.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.util.Locale;
import java.util.Map;

/// JSON on one line as the references print it (Rust's serde_json).
final class ReferenceJson {
    private final ReferenceCodec reference;
    private final StringBuilder out = new StringBuilder();

    private ReferenceJson(ReferenceCodec reference) {
        this.reference = reference;
    }

    static String of(JsonNode value, ReferenceCodec reference) {
        var json = new ReferenceJson(reference);
        json.append(value);
        return json.out.toString();
    }

    private void append(JsonNode value) {
        if (value.getNodeType() == JsonNodeType.OBJECT) {
            appendObject(value);
        } else if (value.isArray()) {
            appendArray(value);
        } else if (value.isTextual()) {
            appendText(value.asText());
        } else if (value.isNumber()) {
            out.append(ReferenceNumbers.text(value, reference));
        } else {
            out.append(value.asText());
        }
    }

    private void appendObject(JsonNode object) {
        out.append('{');
        var separator = "";
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            out.append(separator);
            appendText(member.getKey());
            out.append(':');
            append(member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private void appendArray(JsonNode array) {
        out.append('[');
        var separator = "";
        for (JsonNode item : array) {
            out.append(separator);
            append(item);
            separator = ",";
        }
        out.append(']');
    }

    private void appendText(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
