package dev.counterpoint.local.canary;

/// Where a secret may have got to.
enum SearchedPlace {
    /// Status, headers and body of every answer, streams included.
    RECEIVED,
    /// Everything that the processes and their launcher wrote.
    LOG,
    /// What `/q/metrics` says.
    METRICS,
    /// All that came to the collector of traces.
    TRACES,
    /// The rows of every table of every database.
    TABLE,
    /// PostgreSQL's data directory, its log of changes included.
    DATABASE_FILE,
    /// Keys, values and headers of all records, decompressed.
    KAFKA_RECORD,
    /// The broker's data directory.
    KAFKA_FILE,
    /// What the processes keep in folders for temporary files.
    TEMPORARY_FILE,
    /// Whatever else lies in the folder of the suite, such as keys.
    OTHER_FILE,
    /// The memory of a gateway that showed nobody raw reasoning.
    MEMORY;

    /// Whether single numbers of four bytes are found there by chance. Records and rows are searched by themselves.
    boolean isFullOfNumbers() {
        return this == DATABASE_FILE || this == KAFKA_FILE || this == MEMORY;
    }
}
