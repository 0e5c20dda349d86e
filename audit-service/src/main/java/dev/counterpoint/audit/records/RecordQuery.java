package dev.counterpoint.audit.records;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Which records are wanted; null asks for nothing in particular.
///
/// @param key id of an API key
/// @param from accepted at this time or later
/// @param to accepted before this time
/// @param before only records stored before the one of this number, for the next page
/// @param atMost how many
public record RecordQuery(
        @Nullable String tenant,
        byte @Nullable [] subjectToken,
        @Nullable String key,
        @Nullable String model,
        @Nullable String response,
        @Nullable String status,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Long before,
        int atMost) {}
