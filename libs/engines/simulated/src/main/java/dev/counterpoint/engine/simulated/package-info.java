/// A stand-in for a model: a deterministic function of the prompt that says that it is simulated. `PromptContent` reads
/// the prompt. A `Script` in the user's message says what to think, to call and to say; without one `Echo` repeats what
/// was given. `Plan` has the output as tokens, `PlanSpeaker` says it under any mask, `SimulatedGeneration` sets the
/// pace. Tests look for a secret in the reasoning (`PassPhrase`) and for words that show which attempt said them
/// (`VerifiableRecital`).
@NullMarked
package dev.counterpoint.engine.simulated;

import org.jspecify.annotations.NullMarked;
