package dev.counterpoint.audit.log;

import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.Leaf;
import org.jspecify.annotations.Nullable;

/// A row that the log commits to.
///
/// @param table the row's, as in [LoggedTable#name]
/// @param index of its leaf, null before it has one
/// @param tenant null unless it is certainly a tenant's id; text typed by staff stays out of the leaves
/// @param text in the form of [SortedJson]
/// @param removedBy the event that took its personal part away, empty where it is gone or changed without one; null
/// where
///     it is as it was
public record LoggedRow(
        String table,
        String id,
        @Nullable Long index,
        @Nullable String tenant,
        String text,
        RowMark mark,
        @Nullable String removedBy) {
    public LoggedRow {
        tenant = Leaf.tenant(tenant);
    }

    byte[] commitment() {
        return Commitment.to(mark.salt(), text);
    }
}
