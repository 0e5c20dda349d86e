/// Writes GGUF files: the format that llama.cpp loads, and Harmony's vocabulary in it.
@NullMarked
package dev.counterpoint.engine.llama.gguf;

import org.jspecify.annotations.NullMarked;
