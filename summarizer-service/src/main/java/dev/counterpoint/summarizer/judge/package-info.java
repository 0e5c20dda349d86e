/// The judge of written parts: decides whether a part that a model wrote after reading the reasoning may be shown.
@NullMarked
package dev.counterpoint.summarizer.judge;

import org.jspecify.annotations.NullMarked;
