/// Says what a model is doing as a value of a small schema, and renders it from templates.
@NullMarked
package dev.counterpoint.summarizer.describe;

import org.jspecify.annotations.NullMarked;
