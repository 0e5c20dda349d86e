@NullMarked
package dev.counterpoint.engine.llama;

import org.jspecify.annotations.NullMarked;
