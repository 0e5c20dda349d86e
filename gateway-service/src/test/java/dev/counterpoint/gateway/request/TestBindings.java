package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.testkit.TestKeys;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What requests of a test bind their reasoning to, and reasoning as the last version sealed it.
public final class TestBindings {
    public static final String CONTEXT = "t|p|m";

    private TestBindings() {}

    public static BoundPrompt.Binding of(@Nullable List<?> tools) {
        return of(GenerationJob.ReasoningTerms.of(CONTEXT), tools);
    }

    public static BoundPrompt.Binding of(GenerationJob.ReasoningTerms terms, @Nullable List<?> tools) {
        return new BoundPrompt.Binding(TestKeys.of(ServiceRole.GATEWAY), InstantSource.system(), terms, "anna", tools);
    }

    public static String sealed(int token, long expiresAt) {
        var header = new SealedReasoning.Header(expiresAt, 1, "");
        return SealedReasoning.seal(new int[] {token}, header, CONTEXT, TestKeys.of(ServiceRole.WORKER));
    }
}
