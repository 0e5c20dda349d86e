package dev.counterpoint.audit.api;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A page of a list, newest first.
///
/// @param next the next page's `after`; null on the last page
record ResultPage<T>(List<T> data, @Nullable String next) {
    /// @param found one more than fits the page, when there are more
    static <T> ResultPage<T> of(List<T> found, int limit, ToLongFunction<T> seq) {
        boolean more = found.size() > limit;
        var shown = more ? found.subList(0, limit) : found;
        return new ResultPage<>(shown, more ? FieldValidation.cursorAt(seq.applyAsLong(shown.getLast())) : null);
    }
}
