@NullMarked
package dev.counterpoint.worker.output;

import org.jspecify.annotations.NullMarked;
