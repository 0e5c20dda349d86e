/// Measures what a worker does for every token.
@NullMarked
package dev.counterpoint.worker.bench;

import org.jspecify.annotations.NullMarked;
