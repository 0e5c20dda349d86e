/// Whether anything leaks: cases, and a check that shares no code with what makes summaries.
@NullMarked
package dev.counterpoint.summarizer.safety;

import org.jspecify.annotations.NullMarked;
