package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/// What the library itself decides, for tests in other packages.
public final class Leaves {
    private Leaves() {}

    /// The record that `value` is read as; null when nothing but a keeper of raw JSON takes it, or nothing at all.
    public static @Nullable Class<?> leafFor(Class<?> family, JsonNode value) {
        try {
            var leaf = Union.of(family).leafFor(value);
            var bare = Union.bare(leaf);
            return bare != null && bare.getType() == ObjectNode.class ? null : leaf;
        } catch (RuleViolation refused) {
            return null;
        }
    }

    /// The component that stands for the whole record on the wire, or null.
    public static @Nullable RecordComponent bare(Class<?> type) {
        return Union.bare(type);
    }
}
