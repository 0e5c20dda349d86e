/// Requests, completions and chunks of Chat Completions, with reasoning by OpenRouter's convention.
@NullMarked
package dev.counterpoint.openai.chat;

import org.jspecify.annotations.NullMarked;
