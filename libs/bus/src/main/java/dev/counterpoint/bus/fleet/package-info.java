/// Heartbeats on the topic `models`: who lives, which model a worker serves, how far a service is behind.
@NullMarked
package dev.counterpoint.bus.fleet;

import org.jspecify.annotations.NullMarked;
