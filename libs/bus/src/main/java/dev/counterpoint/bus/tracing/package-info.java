/// Where a trace goes on across the bus.
@NullMarked
package dev.counterpoint.bus.tracing;

import org.jspecify.annotations.NullMarked;
