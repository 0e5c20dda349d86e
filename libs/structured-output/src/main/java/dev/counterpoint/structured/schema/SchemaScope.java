package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.regex.RegexPool;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The shared state of all readers of one schema.
final class SchemaScope {
    /// Nobody writes texts of so many characters or items.
    private static final int COUNT_MAX = 1 << 24;

    final SchemaOptions options;
    final SchemaDocuments documents;
    final RegexPool pool;
    final Goals goals = new Goals();
    private final SchemaLeaves leaves = new SchemaLeaves();
    private final Set<Unenforced> unenforced = new LinkedHashSet<>();

    SchemaScope(SchemaOptions options, RegexPool pool) {
        this.options = options;
        this.pool = pool;
        documents = new SchemaDocuments(options.documents());
    }

    List<Unenforced> unenforced() {
        return List.copyOf(unenforced);
    }

    /// Lists what is not enforced.
    void note(Place place, String keyword, String reason) {
        note(new Unenforced(keyword, place.path(), reason));
    }

    void note(Unenforced left) {
        unenforced.add(left);
    }

    /// Refuses, or with leniency reads the keyword as if it said nothing.
    Formula unsupported(Place place, String keyword, String reason) {
        if (!options.lenient()) {
            throw place.refused(keyword, reason);
        }
        note(place, keyword, reason);
        return Formula.TRUE;
    }

    Goal fits(Place place, boolean holds) {
        if (!place.node().isObject() && !place.node().isBoolean()) {
            throw place.invalid("", "an object or a boolean");
        }
        return goals.fits(leaves.canonical(place), holds);
    }

    /// The value of a keyword that counts something; beyond any text's length it is as good as infinite.
    static int count(Place place, String keyword) {
        var value = number(place, keyword);
        if (value.signum() < 0 || value.stripTrailingZeros().scale() > 0) {
            throw place.invalid(keyword, "an integer from 0");
        }
        if (value.compareTo(BigDecimal.valueOf(COUNT_MAX)) < 0) {
            return value.intValue();
        }
        if (keyword.startsWith("min")) {
            throw place.refused(keyword, "is more than any text can have.");
        }
        return Integer.MAX_VALUE;
    }

    static BigDecimal number(Place place, String keyword) {
        var value = place.get(keyword);
        if (!value.isNumber()
                || value.isFloatingPointNumber() && Double.isNaN(value.doubleValue() * 0) && !value.isBigDecimal()) {
            throw place.invalid(keyword, "a number");
        }
        return value.decimalValue();
    }

    static JsonNode array(Place place, String keyword) {
        var value = place.get(keyword);
        if (!value.isArray()) {
            throw place.invalid(keyword, "an array");
        }
        return value;
    }

    static JsonNode object(Place place, String keyword) {
        var value = place.get(keyword);
        if (!value.isObject()) {
            throw place.invalid(keyword, "an object");
        }
        return value;
    }

    static List<String> strings(Place place, String keyword, JsonNode value) {
        if (!value.isArray()) {
            throw place.invalid(keyword, "an array of strings");
        }
        var all = new ArrayList<String>();
        for (var one : value) {
            if (!one.isTextual()) {
                throw place.invalid(keyword, "an array of strings");
            }
            all.add(one.textValue());
        }
        return all;
    }

    static List<Place> schemas(Place place, String keyword) {
        int size = array(place, keyword).size();
        return IntStream.range(0, size)
                .mapToObj(i -> place.child(keyword, Integer.toString(i)))
                .toList();
    }
}
