/// The worker: its settings and its choice of an engine.
@NullMarked
package dev.counterpoint.worker;

import org.jspecify.annotations.NullMarked;
