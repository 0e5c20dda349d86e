package dev.counterpoint.audit.api;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The given fields of a search as `name=value`, for the entry in the access log.
final class SearchDetail {
    private final StringJoiner text = new StringJoiner(" ");

    SearchDetail field(String name, @Nullable String value) {
        if (value != null) {
            text.add(name + "=" + value);
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
