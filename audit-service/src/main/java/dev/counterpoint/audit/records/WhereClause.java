package dev.counterpoint.audit.records;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The conditions of a query, put together from those that are wanted. Values only ever become parameters. Not
/// thread-safe.
public final class WhereClause {
    private final List<String> all = new ArrayList<>(List.of("1 = 1"));
    private final Map<String, Object> values = new HashMap<>();

    /// @param field of the entity; never from outside
    public void equal(String field, @Nullable Object value) {
        compare(field, "=", value);
    }

    /// @param field of the entity; never from outside
    /// @param operator such as `<`; never from outside
    public void compare(String field, String operator, @Nullable Object value) {
        if (value != null) {
            var name = "p" + values.size();
            all.add(field + " " + operator + " :" + name);
            values.put(name, value);
        }
    }

    public String text() {
        return String.join(" and ", all);
    }

    public Map<String, Object> values() {
        return Map.copyOf(values);
    }
}
