@NullMarked
package dev.counterpoint.bus.seal;

import org.jspecify.annotations.NullMarked;
