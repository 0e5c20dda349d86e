package dev.counterpoint.worker.engine;

import java.util.Set;

/// What an engine is and can do.
///
/// @param engine the kind of engine, as in the setting that chooses it: `simulated`, `llama`, `remote`
/// @param model id of the model, as clients name it
/// @param text one sentence for people; a simulated engine says there that it is one
/// @param contextLength tokens of prompt and output together
/// @param slots generations at once
/// @param vocabularySize ids are 0 to this, exclusive
public record EngineDescription(
        String engine,
        String model,
        String text,
        int contextLength,
        int slots,
        int vocabularySize,
        Set<Ability> abilities) {

    public EngineDescription {
        if (contextLength < 2 || slots < 1 || vocabularySize < 1) {
            throw new IllegalArgumentException("contextLength, slots or vocabularySize is too small");
        }
        abilities = Set.copyOf(abilities);
    }

    public boolean can(Ability ability) {
        return abilities.contains(ability);
    }

    /// What a request may ask of an engine beyond plain sampling.
    public enum Ability {
        /// Obeys a [TokenMask] other than [TokenMask#ALL].
        MASKS,
        /// Reports log probabilities.
        LOGPROBS,
        /// Takes a prefix together with a mask, so that a constrained output can be resumed.
        CONTINUES_INSIDE_CONSTRAINT,
        /// Enforces schemas by itself, without our masks.
        NATIVE_CONSTRAINTS
    }
}
