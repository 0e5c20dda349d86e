package dev.counterpoint.harmony.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Who speaks. Instructions weigh in the order system, developer, user, assistant, tool.
public enum Role {
    SYSTEM,
    DEVELOPER,
    USER,
    ASSISTANT,
    TOOL;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /// The word of a rendered header, such as `assistant`.
    public String wireName() {
        return wireName;
    }

    /// The role with exactly this wire name, or null.
    public static @Nullable Role ofWireName(String word) {
        for (Role role : values()) {
            if (role.wireName.equals(word)) {
                return role;
            }
        }
        return null;
    }
}
