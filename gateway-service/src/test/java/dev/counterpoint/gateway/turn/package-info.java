@NullMarked
package dev.counterpoint.gateway.turn;

import org.jspecify.annotations.NullMarked;
