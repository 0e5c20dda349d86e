/// The words that may be said: ordinary words and plain numbers; everything else becomes a placeholder or stops its
/// sentence.
@NullMarked
package dev.counterpoint.summarizer.redact;

import org.jspecify.annotations.NullMarked;
