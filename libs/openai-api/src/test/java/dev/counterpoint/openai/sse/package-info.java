@NullMarked
package dev.counterpoint.openai.sse;

import org.jspecify.annotations.NullMarked;
