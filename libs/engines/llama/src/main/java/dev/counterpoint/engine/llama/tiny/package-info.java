/// Counterpoint's own tiny model: a GGUF made of the learned parameters, which ship with the worker, and
/// the vocabulary.
@NullMarked
package dev.counterpoint.engine.llama.tiny;

import org.jspecify.annotations.NullMarked;
