package dev.counterpoint.servicekit;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A text that PostgreSQL cannot hold, such as one with the character NUL: a mistake of the caller, not of ours.
public final class UnstorableText {
    /// For people.
    public static final String MESSAGE = "A text of the request holds a character that cannot be stored, such as NUL.";

    /// PostgreSQL's appendix A: character not in repertoire, untranslatable character.
    private static final Set<String> SQL_STATES = Set.of("22021", "22P05");

    private static final int CAUSES_MAX = 20;

    private UnstorableText() {}

    /// Looks at what was thrown and at its causes.
    public static boolean isBehind(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof SQLException failure && failure.getSQLState() != null) {
                return SQL_STATES.contains(failure.getSQLState());
            }
            cause = cause.getCause();
        }
        return false;
    }
}
