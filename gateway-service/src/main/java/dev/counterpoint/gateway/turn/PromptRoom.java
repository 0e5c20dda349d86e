package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.servicekit.ProblemException;

/// Refuses prompts that the model's context cannot hold while a request can still be refused: a stream that has begun
/// can only fail. Where the tokens are the model's own ({@link ModelAvailability#takesMessages}) the worker finds out.
public final class PromptRoom {
    /// What is rendered around a prompt, and what its tools take in the model's own notation beyond their JSON.
    private static final int TOKENS_AROUND = 1024;

    private static final int TOKENS_PER_BYTE_MAX = 2;

    private PromptRoom() {}

    /// @param nowMillis milliseconds since 1970
    /// @param input the member that holds the conversation, as in `messages`
    /// @throws ProblemException 400 when the prompt leaves no room for a token of the answer
    public static void require(GenerationJob job, Heartbeat.Model model, KeyRing keys, long nowMillis, String input) {
        boolean checked = !job.leeway().forgets() && !ModelAvailability.takesMessages(model);
        if (checked && mayExceed(job, model) && new PromptRenderer(keys).count(job, nowMillis) >= model.contextLength()) {
            var mistake = TurnEnding.Mistake.CONTEXT_LENGTH_EXCEEDED;
            throw new ProblemException(Problem.invalidRequest(input, mistake.code(), mistake.message()));
        }
    }

    /// Spares most prompts the counting: a token is at least a byte.
    private static boolean mayExceed(GenerationJob job, Heartbeat.Model model) {
        return (long) job.encode().length * TOKENS_PER_BYTE_MAX + TOKENS_AROUND >= model.contextLength();
    }
}
