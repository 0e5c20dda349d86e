package dev.counterpoint.audit.api;

import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The given fields of a search as `name=value`, for the access entry. Ambiguous values are quoted.
final class SearchDetail {
    private static final Pattern PLAIN = Pattern.compile("[^\\s\\p{Z}=\"]+");

    private final StringJoiner text = new StringJoiner(" ");

    SearchDetail field(String name, @Nullable String value) {
        if (value != null) {
            text.add(name + "=" + (PLAIN.matcher(value).matches() ? value : quoted(value)));
        }
        return this;
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
