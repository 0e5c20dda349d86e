/// Server-sent events as a reader gets them.
@NullMarked
package dev.counterpoint.openai.sse;

import org.jspecify.annotations.NullMarked;
