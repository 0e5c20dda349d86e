/// Drawing tokens from logits, for engines that leave that to us.
@NullMarked
package dev.counterpoint.engine.llama.sampling;

import org.jspecify.annotations.NullMarked;
