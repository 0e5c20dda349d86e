package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.text.TextPattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Strings.
///
/// @param lengthMax in characters, or [Regex#UNBOUNDED]
/// @param values the only ones, or null when they are not listed
record StringShape(
        TextPattern pattern,
        int lengthMin,
        int lengthMax,
        @Nullable Set<String> values) implements ValueShape {
    static final StringShape ANY = of(TextPattern.anything());

    static StringShape of(TextPattern pattern) {
        return new StringShape(pattern, 0, Regex.UNBOUNDED, null);
    }

    static StringShape ofLength(int min, int max) {
        return new StringShape(TextPattern.anything(), min, max, null);
    }

    static StringShape of(Set<String> values) {
        return new StringShape(TextPattern.anything(), 0, Regex.UNBOUNDED, values);
    }

    @Override
    public ValueShape and(ValueShape other) {
        var also = (StringShape) other;
        return new StringShape(
                TextPattern.and(pattern, also.pattern),
                Math.max(lengthMin, also.lengthMin),
                Math.min(lengthMax, also.lengthMax),
                common(values, also.values));
    }

    private static @Nullable Set<String> common(@Nullable Set<String> first, @Nullable Set<String> second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        var both = new LinkedHashSet<>(first);
        both.retainAll(second);
        return both;
    }

    /// The listed values that meet all demands.
    ///
    /// @param plain makes expressions of patterns
    List<String> listed(Function<TextPattern, Regex> plain) {
        var all = values == null ? Set.<String>of() : values;
        return all.stream().filter(value -> meets(value, plain)).toList();
    }

    private boolean meets(String value, Function<TextPattern, Regex> plain) {
        int length = value.codePointCount(0, value.length());
        return length >= lengthMin
                && length <= lengthMax
                && (pattern == TextPattern.anything()
                        || plain.apply(pattern).matches(value.getBytes(StandardCharsets.UTF_8)));
    }

    /// All demands as one pattern.
    TextPattern whole() {
        var parts = new ArrayList<TextPattern>();
        parts.add(pattern);
        if (lengthMin > 0 || lengthMax < Regex.UNBOUNDED) {
            parts.add(lengthMin > lengthMax ? TextPattern.nothing() : TextPattern.length(lengthMin, lengthMax));
        }
        if (values != null) {
            parts.add(TextPattern.or(values.stream().map(TextPattern::literal).toList()));
        }
        return TextPattern.and(parts);
    }

    @Override
    public boolean isPlainlyEmpty() {
        return lengthMin > lengthMax || pattern == TextPattern.nothing() || values != null && values.isEmpty();
    }
}
