/// Decides sentence by sentence what may leave, and what a sentence says about its neighbours.
@NullMarked
package dev.counterpoint.summarizer.judge;

import org.jspecify.annotations.NullMarked;
