@NullMarked
package dev.counterpoint.summarizer;

import org.jspecify.annotations.NullMarked;
