@NullMarked
package dev.counterpoint.summarizer.judge;

import org.jspecify.annotations.NullMarked;
