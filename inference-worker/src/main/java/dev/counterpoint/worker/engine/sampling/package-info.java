/// Drawing tokens from logits, for engines that leave that to us.
@NullMarked
package dev.counterpoint.worker.engine.sampling;

import org.jspecify.annotations.NullMarked;
