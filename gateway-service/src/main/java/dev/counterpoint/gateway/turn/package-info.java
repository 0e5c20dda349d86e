/// One question to a model and its answer, whichever API asked: what both have in common.
@NullMarked
package dev.counterpoint.gateway.turn;

import org.jspecify.annotations.NullMarked;
