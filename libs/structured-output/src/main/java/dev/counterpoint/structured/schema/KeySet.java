package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.text.TextPattern;
import java.util.List;
import java.util.Set;

/// Names of properties: those that a pattern matches, except some.
record KeySet(TextPattern pattern, Set<String> except) {
    static final KeySet ALL = new KeySet(TextPattern.anything(), Set.of());

    static KeySet of(TextPattern pattern) {
        return new KeySet(pattern, Set.of());
    }

    static KeySet of(String name) {
        return of(TextPattern.literal(name));
    }

    /// All but these names and those that one of the patterns matches.
    static KeySet allBut(Set<String> names, List<TextPattern> patterns) {
        return new KeySet(TextPattern.not(TextPattern.or(patterns)), names);
    }
}
