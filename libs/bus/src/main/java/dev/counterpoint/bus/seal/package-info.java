/// Keys, and what is sealed to whom.
@NullMarked
package dev.counterpoint.bus.seal;

import org.jspecify.annotations.NullMarked;
