/// Finishes what a gateway left behind.
@NullMarked
package dev.counterpoint.gateway.recovery;

import org.jspecify.annotations.NullMarked;
