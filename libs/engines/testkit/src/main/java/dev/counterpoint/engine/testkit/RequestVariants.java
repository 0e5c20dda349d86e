package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;

/// A request that differs in one thing from another.
public final class RequestVariants {
    private RequestVariants() {}

    /// After an earlier attempt that came so far.
    public static GenerationRequest resumed(GenerationRequest request, int[] prefix) {
        return changed(request, prefix, request.sampling());
    }

    public static GenerationRequest sampled(GenerationRequest request, Sampling sampling) {
        return changed(request, request.prefix(), sampling);
    }

    private static GenerationRequest changed(GenerationRequest request, int[] prefix, Sampling sampling) {
        return new GenerationRequest(
                request.id(),
                request.prompt(),
                prefix,
                sampling,
                request.maxTokens(),
                request.stopTokens(),
                request.mask(),
                request.cacheSalt());
    }
}
