package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import java.time.InstantSource;

/// Checks that sealed reasoning is whole and of this tenant, project, model and conversation.
@FunctionalInterface
public interface SealCheck {
    /// @param inUse whether the model is to read it; then it must not have expired either
    boolean valid(String blob, boolean inUse);

    static SealCheck of(KeyRing keys, InstantSource clock, GenerationJob.ReasoningTerms terms) {
        var turn = new SealedReasoning.Turn(terms.context(), terms.heldConversation());
        return (blob, inUse) -> {
            try {
                SealedReasoning.check(blob, turn, inUse ? clock.millis() : 0, keys);
                return true;
            } catch (SealException e) {
                return false;
            }
        };
    }
}
