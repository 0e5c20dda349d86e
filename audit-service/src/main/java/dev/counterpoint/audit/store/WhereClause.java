package dev.counterpoint.audit.store;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The conditions of a search, joined by `and`; a condition without a value is left out. Fields are names of the
/// searched entity and never come from a caller; values only become query parameters. Not thread-safe.
public final class WhereClause {
    private final List<String> conditions = new ArrayList<>(List.of("1 = 1"));
    private final Map<String, Object> values = new HashMap<>();

    public WhereClause equal(String field, @Nullable Object value) {
        return compare(field, "=", value);
    }

    public WhereClause atLeast(String field, @Nullable Object value) {
        return compare(field, ">=", value);
    }

    public WhereClause below(String field, @Nullable Object value) {
        return compare(field, "<", value);
    }

    /// @param among null for no condition
    public WhereClause in(String field, @Nullable Collection<?> among) {
        if (among != null && among.isEmpty()) {
            conditions.add("1 = 0");
            return this;
        }
        return compare(field, "in", among);
    }

    /// @param condition over fields alone
    public WhereClause is(String condition, @Nullable Boolean value) {
        if (value != null) {
            conditions.add(value ? condition : "not (" + condition + ")");
        }
        return this;
    }

    private WhereClause compare(String field, String operator, @Nullable Object value) {
        if (value != null) {
            var name = "p" + values.size();
            conditions.add(field + " " + operator + " :" + name);
            values.put(name, value);
        }
        return this;
    }

    /// How many rows meet every condition.
    public int count(PanacheRepositoryBase<?, ?> rows) {
        return (int) rows.count(String.join(" and ", conditions), values);
    }

    /// The rows that meet every condition, the last written first. The entity orders its rows by a field `seq`.
    public <R> List<R> newest(PanacheRepositoryBase<R, ?> rows, int atMost) {
        return rows.find(String.join(" and ", conditions) + " order by seq desc", values)
                .range(0, atMost - 1)
                .list();
    }
}
