package dev.counterpoint.audit.log;

import dev.counterpoint.auditlog.Opening;
import org.jspecify.annotations.Nullable;

/// A row of the log as bundles have it.
///
/// @param removedBy id of the event that took the personal part away, null while it is there
public record ProvenRow(
        long index, Opening opening, @Nullable String removedBy) {}
