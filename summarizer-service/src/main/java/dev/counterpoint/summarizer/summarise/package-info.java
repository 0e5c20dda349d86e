/// The public door: raw reasoning in, safe sentences out.
@NullMarked
package dev.counterpoint.summarizer.summarise;

import org.jspecify.annotations.NullMarked;
