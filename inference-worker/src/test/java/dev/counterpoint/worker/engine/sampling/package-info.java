@NullMarked
package dev.counterpoint.worker.engine.sampling;

import org.jspecify.annotations.NullMarked;
