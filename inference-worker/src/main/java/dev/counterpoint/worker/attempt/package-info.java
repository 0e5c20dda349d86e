/// One attempt: planned, run on the engine, published, and handed over or ended.
@NullMarked
package dev.counterpoint.worker.attempt;

import org.jspecify.annotations.NullMarked;
