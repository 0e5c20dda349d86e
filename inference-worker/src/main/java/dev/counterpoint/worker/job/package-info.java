/// Jobs: taken, fenced, run, handed over.
@NullMarked
package dev.counterpoint.worker.job;

import org.jspecify.annotations.NullMarked;
