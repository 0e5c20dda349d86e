package dev.counterpoint.engine;

import java.util.EnumSet;
import java.util.Set;

/// The kind, the size and the abilities of an engine.
///
/// @param engine the kind of engine, as in the setting that chooses it: `simulated`, `llama`, `remote`,
///     `chat`
/// @param model id of the model, as clients name it
/// @param text one sentence for people; a simulated engine says there that it is one
/// @param contextLength tokens of prompt and output of one generation
/// @param contextTokens the memory: tokens of all generations together; at least `contextLength`
/// @param slots generations at once
/// @param vocabularySize ids are 0 to this, exclusive
public record EngineDescription(
        String engine,
        String model,
        String text,
        int contextLength,
        long contextTokens,
        int slots,
        int vocabularySize,
        Set<Ability> abilities) {

    public EngineDescription {
        if (contextLength < 2 || contextTokens < contextLength || slots < 1 || vocabularySize < 1) {
            throw new IllegalArgumentException("contextLength, contextTokens, slots or vocabularySize is too small");
        }
        abilities = Set.copyOf(abilities);
    }

    /// The same with another text.
    public EngineDescription withText(String other) {
        return new EngineDescription(
                engine, model, other, contextLength, contextTokens, slots, vocabularySize, abilities);
    }

    /// The same where each slot has another context.
    public EngineDescription withContext(int length) {
        return new EngineDescription(
                engine, model, text, length, (long) slots * length, slots, vocabularySize, abilities);
    }

    /// The same with one ability more.
    public EngineDescription with(Ability more) {
        var all = EnumSet.of(more);
        all.addAll(abilities);
        return new EngineDescription(engine, model, text, contextLength, contextTokens, slots, vocabularySize, all);
    }

    public boolean can(Ability ability) {
        return abilities.contains(ability);
    }

    /// An ability lets a request ask more of an engine than plain sampling.
    public enum Ability {
        /// Obeys any [TokenMask].
        MASKS,
        /// Obeys masks that, where they decide at all, allow few tokens or forbid few: all that a server
        /// can be told with a request. Others stop with [StopReason#FAILED]. An engine with [#MASKS] need
        /// not say this too.
        FEW_TOKEN_MASKS,
        /// Reports log probabilities.
        LOGPROBS,
        /// Draws each token by seed and position, so a resumed output continues unchanged. Other engines draw a
        /// resumed output anew; for them a seed that the request did not ask for only costs time.
        RESUMES_DRAWS,
        /// Takes a prefix together with a mask, so that a constrained output can be resumed.
        CONTINUES_INSIDE_CONSTRAINT,
        /// Enforces schemas by itself, without our masks.
        NATIVE_CONSTRAINTS,
        /// Has a model that is not Harmony: takes the conversation as messages, and its tokens are not
        /// ours. Masks, biases and bounds of the reasoning mean nothing to it.
        MESSAGES,
        /// Continues an answer that an earlier attempt began; without [#MESSAGES] every engine does.
        CONTINUES_ANSWERS,
        /// Takes images in the messages; only with [#MESSAGES].
        IMAGES
    }
}
