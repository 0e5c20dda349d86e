/// Jobs and the tickets that point to them.
@NullMarked
package dev.counterpoint.bus.job;

import org.jspecify.annotations.NullMarked;
