package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonIgnore;

/// A record as a search finds it: its columns were checked against what the record is sealed with, or it says that they
/// do not fit. Of an erased record nobody can prove the columns any more; it says that it is erased.
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
