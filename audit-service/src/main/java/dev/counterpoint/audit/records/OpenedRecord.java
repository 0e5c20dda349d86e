package dev.counterpoint.audit.records;

import dev.counterpoint.audit.log.ProvenRow;
import org.jspecify.annotations.Nullable;

/// A record that was read, and its row in the log.
///
/// @param row null for a record that has no leaf yet, or that somebody changed
public record OpenedRecord(
        String response, ReadResult result, @Nullable ProvenRow row) {}
