/// Jobs: taken from their queues, fenced, and started.
@NullMarked
package dev.counterpoint.worker.take;

import org.jspecify.annotations.NullMarked;
