package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonTypeName;

/// The wire name that a leaf record carries in `@JsonTypeName`.
public final class WireName {
    private static final ClassValue<String> NAMES = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> leaf) {
            var name = leaf.getAnnotation(JsonTypeName.class);
            if (name == null) {
                throw new IllegalArgumentException("has no wire name: " + leaf.getName());
            }
            return name.value();
        }
    };

    private WireName() {}

    /// @throws IllegalArgumentException when the record carries none
    public static String of(Class<?> leaf) {
        return NAMES.get(leaf);
    }
}
