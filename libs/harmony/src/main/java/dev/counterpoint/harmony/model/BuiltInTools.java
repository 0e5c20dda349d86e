package dev.counterpoint.harmony.model;

import java.util.Set;

/// The tools gpt-oss was trained with.
public final class BuiltInTools {
    /// Tools, or namespaces of tools, that the model knows without being told.
    public static final Set<String> NAMES = Set.of("python", "browser", "container");

    private BuiltInTools() {}
}
