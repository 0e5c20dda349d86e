/// A deterministic stand-in for a model: it speaks Harmony by the prompt it gets, and says that it is
/// simulated.
///
/// [SimulatedEngine] paces, [PromptReader] reads the prompt back into a [Situation], the first [Skill] that
/// knows an answer gives it, [Planner] writes the whole output down, and [Script] walks along it, also where
/// a mask leads elsewhere.
@NullMarked
package dev.counterpoint.worker.engine.simulated;

import org.jspecify.annotations.NullMarked;
