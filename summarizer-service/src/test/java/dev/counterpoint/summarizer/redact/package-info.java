@NullMarked
package dev.counterpoint.summarizer.redact;

import org.jspecify.annotations.NullMarked;
