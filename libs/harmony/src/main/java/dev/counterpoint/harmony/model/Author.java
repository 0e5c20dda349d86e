package dev.counterpoint.harmony.model;

import org.jspecify.annotations.Nullable;

/// The author of a message. A tool is known by its name only (`functions.get_weather`), which rendering requires.
public record Author(Role role, @Nullable String name) {
    public static Author of(Role role) {
        return new Author(role, null);
    }

    public static Author tool(String name) {
        return new Author(Role.TOOL, name);
    }
}
