package dev.counterpoint.structured.strict;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The way to a place in a schema. It shares its beginning with the ways to its neighbours, so that a deep schema
/// costs no more than its size.
///
/// @param parent null at the root
/// @param step from the parent; empty at the root
/// @param length steps from the root
record SchemaContext(@Nullable SchemaContext parent, String step, int length) {
    static final SchemaContext ROOT = new SchemaContext(null, "", 0);
    /// Steps at either end that a longer way is told by.
    private static final int TOLD_STEPS = 16;

    SchemaContext then(String next) {
        return new SchemaContext(this, next, length + 1);
    }

    SchemaContext then(String keyword, String name) {
        return then(keyword).then(name);
    }

    /// As a Python tuple: `()`, `('items',)`, `('properties', 'x')`.
    String tuple() {
        var steps = new ArrayDeque<String>();
        int at = length;
        for (var place = this; place != null && place.parent != null; place = place.parent) {
            at--;
            if (at < TOLD_STEPS || at >= length - TOLD_STEPS) {
                steps.addFirst(PythonText.repr(place.step));
            } else if (at == TOLD_STEPS) {
                steps.addFirst("...");
            }
        }
        return steps.size() == 1 ? "(" + steps.getFirst() + ",)" : "(" + String.join(", ", steps) + ")";
    }
}
