@NullMarked
package dev.counterpoint.engine.llama.tiny;

import org.jspecify.annotations.NullMarked;
