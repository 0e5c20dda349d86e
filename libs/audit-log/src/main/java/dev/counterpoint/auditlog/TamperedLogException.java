package dev.counterpoint.auditlog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A log, or the rows behind it, was changed. The message names no content.
public final class TamperedLogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final @Nullable Long firstBad;

    /// @param firstBad index of the first leaf that is concerned, null where it is unknown
    public TamperedLogException(Kind kind, @Nullable Long firstBad) {
        super(kind + (firstBad == null ? "" : " at leaf " + firstBad));
        this.kind = kind;
        this.firstBad = firstBad;
    }

    /// The kind of manipulation.
    public enum Kind {
        EDITED,
        DELETED,
        INSERTED,
        REORDERED,
        /// The end is missing.
        TRUNCATED,
        /// An older state than one that is known.
        ROLLED_BACK,
        /// Two histories of one log, both signed.
        FORKED,
        /// Not signed by the log, or not written by it.
        FORGED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Kind kind() {
        return kind;
    }

    public @Nullable Long firstBad() {
        return firstBad;
    }
}
