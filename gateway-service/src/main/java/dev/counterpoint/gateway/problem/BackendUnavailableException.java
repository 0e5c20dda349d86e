package dev.counterpoint.gateway.problem;

import dev.counterpoint.servicekit.OutageException;

/// The suite cannot take requests now; trying again shortly makes sense. Becomes a 503 with Retry-After.
public final class BackendUnavailableException extends OutageException {
    private static final long serialVersionUID = 1;

    public BackendUnavailableException(String message) {
        super(message);
    }
}
