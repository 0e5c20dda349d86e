/// Owns partitions of the log, and decides where nothing moves.
@NullMarked
package dev.counterpoint.gateway.log.owner;

import org.jspecify.annotations.NullMarked;
