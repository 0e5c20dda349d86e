/// Tokens in, lanes and text out: pure functions.
@NullMarked
package dev.counterpoint.worker.output;

import org.jspecify.annotations.NullMarked;
