package dev.counterpoint.audit.requests;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.audit.store.WhereClause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Which records of a tenant are meant. The subject's token is kept apart, because it goes with the person.
///
/// @param ofSubject whether only records of one subject are meant
/// @param key id of an API key
/// @param flagged whether something marks the response for review
/// @param from accepted at this time or later
/// @param to accepted before this time
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecordFilter(
        boolean ofSubject,
        @Nullable String key,
        @Nullable String model,
        @Nullable String response,
        @Nullable String status,
        @Nullable Boolean flagged,
        @Nullable String from,
        @Nullable String to) {
    /// The conditions but for tenant and subject.
    public WhereClause where() {
        return new WhereClause()
                .equal("key", key)
                .equal("model", model)
                .equal("response", response)
                .equal("status", status)
                .is("flagged", flagged)
                .atLeast("acceptedAt", from == null ? null : Instant.parse(from))
                .below("acceptedAt", to == null ? null : Instant.parse(to));
    }
}
