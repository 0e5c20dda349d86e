/// Measures what a worker does for every token.
@NullMarked
package dev.counterpoint.engine.llama.bench;

import org.jspecify.annotations.NullMarked;
