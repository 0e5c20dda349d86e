@NullMarked
package dev.counterpoint.bus.audit;

import org.jspecify.annotations.NullMarked;
