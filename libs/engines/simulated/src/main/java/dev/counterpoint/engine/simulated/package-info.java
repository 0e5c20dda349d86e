/// A stand-in for a model that needs no weights: a deterministic function of the prompt, which says that it is
/// simulated.
///
/// The way of a prompt: `PromptReader` reads the tokens back into a `PromptContent`; `AnswerPlanner` asks the skills
/// (`ToolSkills`, `TextSkills`, `ArithmeticSkill`, `TalkSkills`) and writes the whole output down as an `AnswerPlan`;
/// `PlanSpeaker` says the plan token by token, also where a mask leads elsewhere; where a mask wants JSON, `MaskedJson`
/// finds out by a `Lookahead` what fits and takes it from the prompt's `PromptValues`, or throws dice; no schema is
/// read. `SimulatedGeneration` paces the tokens. For tests there are a secret in the reasoning (`PassPhrase`) and words
/// that tell who said them
/// (`VerifiableRecital`).
///
/// **Everything has a bound.** Skills read at most `PromptContent.READ_MAX` characters of a text, every repetition in
/// a pattern and every loop has a limit, and a token that leaves the plan costs the same however long the plan is.
/// A lookahead has one too.
@NullMarked
package dev.counterpoint.engine.simulated;

import org.jspecify.annotations.NullMarked;
