package dev.counterpoint.worker.engine.simulated;

import org.jspecify.annotations.Nullable;

/// One kind of question and how to answer it. Without state.
interface Skill {
    /// The answer, or null when this is not a question of its kind.
    @Nullable
    Answer answer(Situation situation);
}
