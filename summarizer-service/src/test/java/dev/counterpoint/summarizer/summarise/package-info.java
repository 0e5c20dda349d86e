@NullMarked
package dev.counterpoint.summarizer.summarise;

import org.jspecify.annotations.NullMarked;
