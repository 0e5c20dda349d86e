@NullMarked
package dev.counterpoint.worker.engine.llama;

import org.jspecify.annotations.NullMarked;
