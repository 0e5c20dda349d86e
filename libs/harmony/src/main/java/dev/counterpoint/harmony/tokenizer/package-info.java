/// o200k_harmony: text to token ids and back.
@NullMarked
package dev.counterpoint.harmony.tokenizer;

import org.jspecify.annotations.NullMarked;
