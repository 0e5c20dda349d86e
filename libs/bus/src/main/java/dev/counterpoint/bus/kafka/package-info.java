/// Topics, their limits, and the settings of Kafka clients.
@NullMarked
package dev.counterpoint.bus.kafka;

import org.jspecify.annotations.NullMarked;
