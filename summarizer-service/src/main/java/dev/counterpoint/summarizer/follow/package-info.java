@NullMarked
package dev.counterpoint.summarizer.follow;

import org.jspecify.annotations.NullMarked;
