package dev.counterpoint.servicekit;

import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where something failed, for our logs. Messages of exceptions stay out: they like to quote what a client sent.
public final class SafeStackTrace {
    private static final int CAUSES_MAX = 8;
    private static final int FRAMES_MAX = 24;

    private SafeStackTrace() {}

    public static String of(Throwable thrown) {
        var text = new StringBuilder();
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            text.append(depth == 0 ? "" : "caused by ").append(cause.getClass().getName());
            if (cause instanceof SQLException failure) {
                text.append(" sqlState=").append(failure.getSQLState());
            }
            Arrays.stream(cause.getStackTrace())
                    .limit(FRAMES_MAX)
                    .forEach(frame -> text.append("\n    at ").append(frame));
            text.append('\n');
            cause = cause.getCause();
        }
        return text.toString();
    }

    /// The failure in a word: the database's own where it is behind it.
    public static String name(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof SQLException failure) {
                return failure.getClass().getSimpleName() + " sqlState=" + failure.getSQLState();
            }
            cause = cause.getCause();
        }
        return thrown.getClass().getName();
    }
}
