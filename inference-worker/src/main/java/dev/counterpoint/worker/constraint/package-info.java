@NullMarked
package dev.counterpoint.worker.constraint;

import org.jspecify.annotations.NullMarked;
