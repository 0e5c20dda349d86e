/// The border between the two halves of the gateway: requests go in, model outputs come back.
@NullMarked
package dev.counterpoint.gateway.generation;

import org.jspecify.annotations.NullMarked;
