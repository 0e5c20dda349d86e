/// The processes that beat on the bus: who lives, and which models workers serve.
@NullMarked
package dev.counterpoint.gateway.fleet;

import org.jspecify.annotations.NullMarked;
