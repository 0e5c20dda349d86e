/// Renders the chat template that a model's file carries, as Python's `transformers` does.
///
/// A [ChatTemplate] is Jinja from a file that nobody here wrote. minijinja renders it inside a WebAssembly module that
/// reaches nothing but its own memory. Steps, memory and time are bounded; a template that exceeds them is refused.
@NullMarked
package dev.counterpoint.engine.template;

import org.jspecify.annotations.NullMarked;
