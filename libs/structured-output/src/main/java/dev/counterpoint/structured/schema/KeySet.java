package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.text.TextPattern;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names of properties: those that a pattern matches, except some.
///
/// @param only the name, if it is just one
record KeySet(
        TextPattern pattern, Set<String> except, @Nullable String only) {
    static final KeySet ALL = new KeySet(TextPattern.anything(), Set.of(), null);

    static KeySet of(TextPattern pattern) {
        return new KeySet(pattern, Set.of(), null);
    }

    static KeySet of(String name) {
        return new KeySet(TextPattern.literal(name), Set.of(), name);
    }

    /// All but these names and those that one of the patterns matches.
    static KeySet allBut(Set<String> names, List<TextPattern> patterns) {
        return new KeySet(TextPattern.not(TextPattern.or(patterns)), names, null);
    }
}
