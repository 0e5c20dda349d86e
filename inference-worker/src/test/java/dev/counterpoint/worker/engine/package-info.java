@NullMarked
package dev.counterpoint.worker.engine;

import org.jspecify.annotations.NullMarked;
