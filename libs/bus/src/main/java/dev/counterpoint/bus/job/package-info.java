@NullMarked
package dev.counterpoint.bus.job;

import org.jspecify.annotations.NullMarked;
