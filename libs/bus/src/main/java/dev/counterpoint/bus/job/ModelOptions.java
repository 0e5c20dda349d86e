package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
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

    BusProto.GenerationJob.Options message() {
        var out = BusProto.GenerationJob.Options.newBuilder()
                .setEffortSaid(Wire.flag(effortSaid))
                .setTemplateArgumentsBytes(Wire.text(templateArguments));
        if (parallelCalls != null) {
            out.setParallelCallsPlusOne(Wire.count(Wire.flag(parallelCalls)));
        }
        if (topK != null) {
            out.setTopK(topK);
        }
        if (minP != null) {
            out.setMinP(minP);
        }
        if (repetitionPenalty != null) {
            out.setRepetitionPenalty(repetitionPenalty);
        }
        return out.build();
    }

    public static ModelOptions of(BusProto.GenerationJob.Options in) {
        var parallel = Wire.countOf(in.getParallelCallsPlusOne());
        return new ModelOptions(
                in.getEffortSaid() != 0,
                parallel == null ? null : Boolean.valueOf(parallel > 0),
                in.hasTopK() ? Integer.valueOf((int) in.getTopK()) : null,
                in.hasMinP() ? Double.valueOf(in.getMinP()) : null,
                in.hasRepetitionPenalty() ? Double.valueOf(in.getRepetitionPenalty()) : null,
                in.getTemplateArguments());
    }

    /// Arguments of a template may hold content.
    @Override
    public String toString() {
        return "ModelOptions[templateArguments=%d characters]".formatted(templateArguments.length());
    }
}
