@NullMarked
package dev.counterpoint.summarizer.describe;

import org.jspecify.annotations.NullMarked;
