@NullMarked
package dev.counterpoint.summarizer.segment;

import org.jspecify.annotations.NullMarked;
