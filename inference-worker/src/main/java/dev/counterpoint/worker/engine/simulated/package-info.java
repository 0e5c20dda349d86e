/// A deterministic stand-in for a model: it speaks Harmony by the prompt it gets, and says that it is
/// simulated.
@NullMarked
package dev.counterpoint.worker.engine.simulated;

import org.jspecify.annotations.NullMarked;
