/// Parts of summaries in the words of a model: what it is asked, and what becomes of its answer.
@NullMarked
package dev.counterpoint.summarizer.write;

import org.jspecify.annotations.NullMarked;
