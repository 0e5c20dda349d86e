package dev.counterpoint.audit.log;

import dev.counterpoint.servicekit.OutageException;

/// The database's log does not continue the published one. Until it does, nothing is logged, stored or shown.
public final class LogFaultException extends OutageException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final long published;

    LogFaultException(String kind, long published) {
        super("the audit log is " + kind);
        this.kind = kind;
        this.published = published;
    }

    /// `rolled_back` when the database is older, `forked` when it has another log.
    public String kind() {
        return kind;
    }

    /// Number of published leaves.
    public long published() {
        return published;
    }
}
