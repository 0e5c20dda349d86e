/// The judge of written parts: decides whether a text that somebody wrote after a look at the reasoning may be shown.
@NullMarked
package dev.counterpoint.summarizer.judge;

import org.jspecify.annotations.NullMarked;
