/// Follows logs, opens reasoning, publishes safe sentences.
@NullMarked
package dev.counterpoint.summarizer.follow;

import org.jspecify.annotations.NullMarked;
