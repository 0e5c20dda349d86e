package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
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

    static void encode(FieldWriter out, ModelOptions options) {
        out.flag(1, options.effortSaid);
        if (options.parallelCalls != null) {
            out.count(2, options.parallelCalls ? 1 : 0);
        }
        if (options.topK != null) {
            out.bits(3, options.topK);
        }
        if (options.minP != null) {
            out.real(4, options.minP);
        }
        if (options.repetitionPenalty != null) {
            out.real(5, options.repetitionPenalty);
        }
        out.textIfAny(6, options.templateArguments);
    }

    static ModelOptions decode(FieldReader in) {
        var parallel = in.count(2);
        return new ModelOptions(
                in.flag(1),
                parallel == null ? null : Boolean.valueOf(parallel > 0),
                in.has(3) ? Integer.valueOf((int) in.bits(3)) : null,
                in.has(4) ? Double.valueOf(in.real(4, 0)) : null,
                in.has(5) ? Double.valueOf(in.real(5, 0)) : null,
                in.text(6));
    }

    /// Arguments of a template may hold content.
    @Override
    public String toString() {
        return "ModelOptions[templateArguments=%d characters]".formatted(templateArguments.length());
    }
}
