/// The taking of records from share groups.
@NullMarked
package dev.counterpoint.worker.queue;

import org.jspecify.annotations.NullMarked;
