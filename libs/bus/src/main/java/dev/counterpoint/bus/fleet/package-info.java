/// Heartbeats.
@NullMarked
package dev.counterpoint.bus.fleet;

import org.jspecify.annotations.NullMarked;
