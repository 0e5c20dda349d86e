/// The logs of responses: reading and following them, owning their partitions, deciding about silent workers,
/// replaying.
@NullMarked
package dev.counterpoint.gateway.log;

import org.jspecify.annotations.NullMarked;
