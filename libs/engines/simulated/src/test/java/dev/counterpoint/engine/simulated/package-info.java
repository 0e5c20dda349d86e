@NullMarked
package dev.counterpoint.engine.simulated;

import org.jspecify.annotations.NullMarked;
