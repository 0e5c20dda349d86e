/// The library beside the whole of OpenAI's contract.
@NullMarked
package dev.counterpoint.openai.contract;

import org.jspecify.annotations.NullMarked;
