@NullMarked
package dev.counterpoint.summarizer.write;

import org.jspecify.annotations.NullMarked;
