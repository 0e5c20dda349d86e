/// OpenAI's Harmony format for gpt-oss: tokenizer, conversation renderer and streaming parser. Plain Java.
@NullMarked
package dev.counterpoint.harmony;

import org.jspecify.annotations.NullMarked;
