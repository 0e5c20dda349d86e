@NullMarked
package dev.counterpoint.engine.llama.sampling;

import org.jspecify.annotations.NullMarked;
