package dev.counterpoint.audit.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Base64;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A page of a list, newest first.
///
/// @param next the next page's `after`; null on the last page
public record ResultPage<T>(List<T> data, @Nullable String next) {
    /// @param found one row more than fits the page, when there are more
    /// @param seq the position of a row in the list
    static <T> ResultPage<T> of(List<T> found, int size, ToLongFunction<T> seq) {
        if (found.size() <= size) {
            return new ResultPage<>(found, null);
        }
        var shown = found.subList(0, size);
        return new ResultPage<>(shown, cursor(seq.applyAsLong(shown.getLast())));
    }

    private static String cursor(long seq) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Long.toString(seq).getBytes(US_ASCII));
    }

    /// The position that a cursor stands for.
    ///
    /// @throws ProblemException when `after` is no cursor of ours
    static @Nullable Long position(@Nullable String after) {
        if (after == null) {
            return null;
        }
        try {
            return Long.valueOf(new String(Base64.getUrlDecoder().decode(after), US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(AuditProblem.invalid("after", "'next' of the page before"));
        }
    }
}
