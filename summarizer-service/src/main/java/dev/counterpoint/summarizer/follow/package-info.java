/// Follows logs, opens reasoning, publishes their summaries.
@NullMarked
package dev.counterpoint.summarizer.follow;

import org.jspecify.annotations.NullMarked;
