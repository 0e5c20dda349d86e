package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonIgnore;

/// A record found by a search. Its columns were verified against its seal, or it is marked as altered. The columns of
/// an erased record cannot be verified; it is marked as erased.
public sealed interface FoundRecord permits StoredRecord, FoundRecord.Altered {
    /// Order of storing.
    @JsonIgnore
    long seq();

    String response();

    /// The row, or a key that it needs, was changed or removed outside this service. Its values are not shown,
    /// because any of them may be false.
    ///
    /// @param altered always true
    record Altered(@JsonIgnore long seq, String response, boolean altered) implements FoundRecord {
        Altered(long seq, String response) {
            this(seq, response, true);
        }
    }
}
