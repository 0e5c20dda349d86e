package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.ResponseEcho;
import org.jspecify.annotations.Nullable;

/// All that a replica needs to assemble a response from its outputs; travels with the response as its echo.
///
/// @param kind always [#KIND]: tells this echo from those of other APIs
/// @param rawReasoning whether the caller gets raw reasoning
/// @param summaryDue whether the caller asked for a summary of it
/// @param echo the request as the response repeats it
/// @param compaction that stands for what came before; null where all of it was told to the model
/// @param obfuscated whether deltas are padded; null for no
record ResponsePlan(
        String kind,
        boolean rawReasoning,
        boolean summaryDue,
        ResponseEcho echo,
        @Nullable String compaction,
        @Nullable Boolean obfuscated) {
    static final String KIND = "responses";

    ResponsePlan(boolean rawReasoning, boolean summaryDue, ResponseEcho echo) {
        this(KIND, rawReasoning, summaryDue, echo, null, null);
    }

    /// The same with a compaction.
    ResponsePlan compacted(String blob) {
        return new ResponsePlan(kind, rawReasoning, summaryDue, echo, blob, obfuscated);
    }

    boolean padded() {
        return Boolean.TRUE.equals(obfuscated);
    }

    /// The same with its deltas padded or not.
    ///
    /// @param wish null for as it is
    ResponsePlan padded(@Nullable Boolean wish) {
        return wish == null ? this : new ResponsePlan(kind, rawReasoning, summaryDue, echo, compaction, wish);
    }
}
