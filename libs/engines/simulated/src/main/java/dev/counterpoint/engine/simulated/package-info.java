/// A stand-in for a model: a deterministic function of the prompt, which declares itself simulated. `PromptContent`
/// reads the prompt. A `Script` in the user's message defines the reasoning, the calls and the answer; without a
/// script, `Echo` repeats its input. `Plan` holds the output as tokens, `PlanSpeaker` writes it under any mask, and
/// `SimulatedGeneration` sets the pace. Tests search for a secret in the reasoning (`PassPhrase`) and for words
/// that identify the attempt that wrote them (`VerifiableRecital`).
@NullMarked
package dev.counterpoint.engine.simulated;

import org.jspecify.annotations.NullMarked;
