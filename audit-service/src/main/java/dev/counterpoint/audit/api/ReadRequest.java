package dev.counterpoint.audit.api;

import org.jspecify.annotations.Nullable;

/// The body of a request to read a record; both members are required.
public record ReadRequest(@Nullable String caseId, @Nullable String reason) {
    Justification justification() {
        return Justification.of(caseId, reason);
    }
}
