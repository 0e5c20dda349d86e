@NullMarked
package dev.counterpoint.worker.engine.simulated;

import org.jspecify.annotations.NullMarked;
