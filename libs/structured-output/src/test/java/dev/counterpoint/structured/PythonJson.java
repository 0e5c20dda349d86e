package dev.counterpoint.structured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Locale;

/// JSON as Python's `json.dumps(data, ensure_ascii=False)` spells it; members keep their order and numbers their
/// text.
final class PythonJson {
    private final JsonParser in;
    private final StringBuilder out = new StringBuilder();

    private PythonJson(JsonParser in) {
        this.in = in;
    }

    /// The text of the value whose first token was just read; its last one has been read then.
    static String of(JsonParser in) throws IOException {
        var writer = new PythonJson(in);
        writer.value();
        return writer.out.toString();
    }

    /// The text of a string, in quotes.
    static String string(String text) {
        var quoted = new StringBuilder(text.length() + 2);
        appendString(quoted, text);
        return quoted.toString();
    }

    private void value() throws IOException {
        var token = in.currentToken();
        if (token == JsonToken.START_OBJECT) {
            members("{", "}", JsonToken.END_OBJECT);
        } else if (token == JsonToken.START_ARRAY) {
            members("[", "]", JsonToken.END_ARRAY);
        } else if (token == JsonToken.VALUE_STRING) {
            appendString(out, in.getText());
        } else {
            out.append(in.getText());
        }
    }

    private void members(String open, String close, JsonToken end) throws IOException {
        out.append(open);
        for (int count = 0; in.nextToken() != end; count++) {
            if (count > 0) {
                out.append(", ");
            }
            if (in.currentToken() == JsonToken.FIELD_NAME) {
                appendString(out, in.currentName());
                out.append(": ");
                in.nextToken();
            }
            value();
        }
        out.append(close);
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\f' -> out.append("\\f");
                case '\b' -> out.append("\\b");
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
