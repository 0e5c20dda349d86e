@NullMarked
package dev.counterpoint.worker.engine.remote;

import org.jspecify.annotations.NullMarked;
