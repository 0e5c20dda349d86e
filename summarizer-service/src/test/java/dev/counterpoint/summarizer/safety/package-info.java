/// Whether anything leaks: cases, and a check that shares no code with the filters.
@NullMarked
package dev.counterpoint.summarizer.safety;

import org.jspecify.annotations.NullMarked;
