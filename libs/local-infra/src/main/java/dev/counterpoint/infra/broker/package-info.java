/// A Kafka broker for one machine, in a JVM of its own.
@NullMarked
package dev.counterpoint.infra.broker;

import org.jspecify.annotations.NullMarked;
