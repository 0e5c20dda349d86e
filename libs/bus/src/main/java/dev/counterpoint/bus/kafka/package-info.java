@NullMarked
package dev.counterpoint.bus.kafka;

import org.jspecify.annotations.NullMarked;
