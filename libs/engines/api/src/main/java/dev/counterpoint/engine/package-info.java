/// The engine contract: token ids in, token ids out, one token at a time, under a mask.
///
/// Tokenising, Harmony and structured output are not an engine's business; only the engine `chat` sees text.
@NullMarked
package dev.counterpoint.engine;

import org.jspecify.annotations.NullMarked;
