/// Cuts a stream of characters into sentences that are complete, whatever pieces it came in.
@NullMarked
package dev.counterpoint.summarizer.segment;

import org.jspecify.annotations.NullMarked;
