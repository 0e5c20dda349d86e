package dev.counterpoint.structured.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The possible rest of the text, depending on the position before it: the start of the text, or a character of one
/// of the kinds that the pattern distinguishes.
///
/// @param patterns pattern for the start of the text, then one for each kind
record EcmaSuffix(List<TextPattern> patterns) {
    static EcmaSuffix same(TextPattern pattern, int kinds) {
        var patterns = new TextPattern[kinds + 1];
        Arrays.fill(patterns, pattern);
        return new EcmaSuffix(List.of(patterns));
    }

    TextPattern atStart() {
        return patterns.getFirst();
    }

    TextPattern after(int kind) {
        return patterns.get(kind + 1);
    }

    int kinds() {
        return patterns.size() - 1;
    }

    /// True if all kinds of characters before lead to the same.
    boolean isSameAfterAll() {
        return patterns.stream().skip(1).allMatch(pattern -> pattern == after(0));
    }

    boolean isSame() {
        return isSameAfterAll() && atStart() == after(0);
    }

    boolean isAll(TextPattern pattern) {
        return patterns.stream().allMatch(one -> one == pattern);
    }

    /// What is the same before stays one object.
    static EcmaSuffix combined(List<EcmaSuffix> parts, Function<List<TextPattern>, TextPattern> together) {
        Map<List<TextPattern>, TextPattern> made = new HashMap<>();
        var result = new ArrayList<TextPattern>();
        for (int i = 0; i < parts.getFirst().patterns.size(); i++) {
            int index = i;
            var operands = parts.stream().map(part -> part.patterns.get(index)).toList();
            result.add(made.computeIfAbsent(operands, together));
        }
        return new EcmaSuffix(List.copyOf(result));
    }

    EcmaSuffix map(Function<TextPattern, TextPattern> change) {
        return combined(List.of(this), operands -> change.apply(operands.getFirst()));
    }
}
