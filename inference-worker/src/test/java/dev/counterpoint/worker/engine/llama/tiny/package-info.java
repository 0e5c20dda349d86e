@NullMarked
package dev.counterpoint.worker.engine.llama.tiny;

import org.jspecify.annotations.NullMarked;
