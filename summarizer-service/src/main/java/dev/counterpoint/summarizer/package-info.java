/// The summarizer: safe summaries of sealed reasoning.
@NullMarked
package dev.counterpoint.summarizer;

import org.jspecify.annotations.NullMarked;
