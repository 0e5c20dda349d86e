package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.servicekit.ProblemException;
import java.time.InstantSource;
import java.util.regex.Pattern;

/// Refuses prompts that the model's context cannot hold while a request can still be refused: a stream that has begun
/// can only fail. Where the tokens are the model's own ({@link ModelAvailability#takesMessages}) the worker finds
/// out.
///
/// @param keys that open a conversation's sealed parts
public record PromptRoom(KeyRing keys, InstantSource clock) {
    /// What is rendered around a prompt, and what its tools take in the model's own notation beyond their JSON.
    private static final int TOKENS_AROUND = 1024;

    private static final int TOKENS_PER_BYTE_MAX = 2;
    private static final Pattern REPEATING = Pattern.compile("\"(\\$ref|anyOf)\"");

    /// @param input the member that holds the conversation, as in `messages`
    /// @throws ProblemException 400 when the prompt leaves no room for a token of the answer
    public void require(GenerationJob job, Heartbeat.Model model, String input) {
        boolean checked = !job.leeway().forgets() && !ModelAvailability.takesMessages(model);
        if (checked
                && mayExceed(job, model)
                && new PromptRenderer(keys).count(job, clock.millis()) >= model.contextLength()) {
            var mistake = TurnEnding.Mistake.CONTEXT_LENGTH_EXCEEDED;
            throw new ProblemException(Problem.invalidRequest(input, mistake.code(), mistake.message()));
        }
    }

    /// Spares most prompts the counting: a token is at least a byte. The model sees what references in schemas
    /// lead to once for each of them. A prompt that is long by its characters is not written to learn that.
    private static boolean mayExceed(GenerationJob job, Heartbeat.Model model) {
        long bytes = model.contextLength() - TOKENS_AROUND;
        boolean repeats = job.tools().stream()
                .anyMatch(tool -> tool.parameters() != null
                        && REPEATING.matcher(tool.parameters()).find());
        return repeats
                || characters(job) * TOKENS_PER_BYTE_MAX >= bytes
                || (long) job.encode().length * TOKENS_PER_BYTE_MAX >= bytes;
    }

    private static long characters(GenerationJob job) {
        long characters = 0;
        for (var item : job.prompt()) {
            characters += switch (item) {
                case PromptItem.User(String text) -> text.length();
                case PromptItem.Assistant(String text, boolean _) -> text.length();
                case PromptItem.CallOutput output -> output.output().length();
                case PromptItem.Call call -> call.arguments().length();
                case PromptItem.Instructions _,
                        PromptItem.Illustrated _,
                        PromptItem.Reasoning _,
                        PromptItem.Sealed _,
                        PromptItem.Retold _ -> 0;
            };
        }
        return characters;
    }
}
