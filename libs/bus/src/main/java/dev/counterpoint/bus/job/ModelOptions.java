package dev.counterpoint.bus.job;

import org.jspecify.annotations.Nullable;

/// What a caller said to a model under a template of its own, and nothing that the caller did not say.
/// Engines that take our tokens have no use for it.
///
/// @param effortSaid whether the job's effort is the caller's word and not the default
/// @param parallelCalls whether the model may make several calls at once; null where the caller left it open
/// @param topK null where the caller left it open; 0 or less cuts nothing
/// @param minP null where the caller left it open
/// @param repetitionPenalty null where the caller left it open
/// @param templateArguments arguments of the chat template, a JSON object as text; empty for none
public record ModelOptions(
        boolean effortSaid,
        @Nullable Boolean parallelCalls,
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        String templateArguments) {
    /// The caller said nothing.
    public static final ModelOptions NONE = new ModelOptions(false, null, null, null, null, "");

    /// Arguments of a template may hold content.
    @Override
    public String toString() {
        return "ModelOptions[templateArguments=%d characters]".formatted(templateArguments.length());
    }
}
