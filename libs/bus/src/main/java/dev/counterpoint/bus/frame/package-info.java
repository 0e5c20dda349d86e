@NullMarked
package dev.counterpoint.bus.frame;

import org.jspecify.annotations.NullMarked;
