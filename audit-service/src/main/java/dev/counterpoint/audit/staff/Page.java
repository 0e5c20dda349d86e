package dev.counterpoint.audit.staff;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A page of a list, newest first.
///
/// @param next the next page's `after`; null on the last page
record Page<T>(List<T> data, @Nullable String next) {
    /// @param found one more than fits the page, when there are more
    static <T> Page<T> of(List<T> found, int limit, ToLongFunction<T> seq) {
        boolean more = found.size() > limit;
        var shown = more ? found.subList(0, limit) : found;
        return new Page<>(shown, more ? Check.cursorAt(seq.applyAsLong(shown.getLast())) : null);
    }
}
