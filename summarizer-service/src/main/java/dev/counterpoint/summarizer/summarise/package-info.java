/// Descriptions and their rhythm: raw reasoning in, parts of a summary out.
@NullMarked
package dev.counterpoint.summarizer.summarise;

import org.jspecify.annotations.NullMarked;
