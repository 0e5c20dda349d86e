/// Heartbeats of the audit service, with the age of the oldest record that is not stored yet.
@NullMarked
package dev.counterpoint.audit.fleet;

import org.jspecify.annotations.NullMarked;
