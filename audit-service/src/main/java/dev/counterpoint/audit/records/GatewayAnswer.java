package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.counterpoint.bus.audit.ErasedRows;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The gateways' part of an erasure, as its receipt shows it.
///
/// @param status `not_asked` where gateways cannot find the person: the erasure named a token, or is of
///     an earlier version; `due` until the bus has the order; `no_answer` until gateways have answered; then `erased`
/// @param rows what gateways deleted; null until then
public record GatewayAnswer(
        Status status,
        @Nullable Instant askedAt,
        @Nullable Instant erasedAt,
        @Nullable ErasedRows rows) {
    /// The progress of gateways. Names are part of the API.
    public enum Status {
        NOT_ASKED,
        DUE,
        NO_ANSWER,
        ERASED;

        @JsonValue
        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// True while an answer is to come.
    boolean pending() {
        return status == Status.DUE || status == Status.NO_ANSWER;
    }
}
