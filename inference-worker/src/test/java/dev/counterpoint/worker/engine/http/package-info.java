@NullMarked
package dev.counterpoint.worker.engine.http;

import org.jspecify.annotations.NullMarked;
