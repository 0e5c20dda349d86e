/// GGUF files of models that are not Harmony, computed in this process: conversations are rendered by the file's own
/// template, the output is held to a form by masks over the model's own tokens, split into reasoning, answer
/// and call by that form, and said as Harmony.
@NullMarked
package dev.counterpoint.engine.gguf;

import org.jspecify.annotations.NullMarked;
