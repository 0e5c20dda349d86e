@NullMarked
package dev.counterpoint.bus;

import org.jspecify.annotations.NullMarked;
