package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.InputTransformation;
import dev.counterpoint.openai.responses.PromptCacheDiagnostics;
import dev.counterpoint.openai.responses.ResponseEcho;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// All that a replica needs to assemble a response from its outputs; travels with the response as its echo.
///
/// @param kind always [#KIND]: tells this echo from those of other APIs
/// @param rawReasoning whether the caller gets raw reasoning
/// @param summaryDue whether the caller asked for a summary of it
/// @param echo the request as the response repeats it
/// @param compaction that stands for what came before; null where all of it was told to the model
/// @param obfuscated whether deltas are padded; null for no
/// @param encrypted whether the caller asked for reasoning in its sealed form; null in echoes that do not say, which
///     showed it to all
/// @param notes warnings that are known before the model says anything; null for none
/// @param removed the reasoning of the input that the model is not shown; null for none
/// @param diagnostics what a comparison with another response's prompt found; null where the request asks for none
record ResponsePlan(
        String kind,
        boolean rawReasoning,
        boolean summaryDue,
        ResponseEcho echo,
        @Nullable String compaction,
        @Nullable Boolean obfuscated,
        @Nullable Boolean encrypted,
        @Nullable List<String> notes,
        @Nullable List<InputTransformation> removed,
        @Nullable PromptCacheDiagnostics diagnostics) {
    static final String KIND = "responses";

    /// The same with a compaction.
    ResponsePlan compacted(String blob) {
        return new ResponsePlan(
                kind, rawReasoning, summaryDue, echo, blob, obfuscated, encrypted, notes, removed, diagnostics);
    }

    /// The same with one more warning.
    ResponsePlan noted(String note) {
        var more = new ArrayList<>(Objects.requireNonNullElse(notes, List.<String>of()));
        more.add(note);
        return new ResponsePlan(
                kind,
                rawReasoning,
                summaryDue,
                echo,
                compaction,
                obfuscated,
                encrypted,
                List.copyOf(more),
                removed,
                diagnostics);
    }

    /// The same with what a comparison of prompts found.
    ResponsePlan diagnosed(PromptCacheDiagnostics found) {
        return new ResponsePlan(
                kind, rawReasoning, summaryDue, echo, compaction, obfuscated, encrypted, notes, removed, found);
    }

    boolean showsEncrypted() {
        return !Boolean.FALSE.equals(encrypted);
    }

    boolean padded() {
        return Boolean.TRUE.equals(obfuscated);
    }

    /// The same with its deltas padded or not.
    ///
    /// @param wish null for as it is
    ResponsePlan padded(@Nullable Boolean wish) {
        return wish == null
                ? this
                : new ResponsePlan(
                        kind, rawReasoning, summaryDue, echo, compaction, wish, encrypted, notes, removed, diagnostics);
    }
}
