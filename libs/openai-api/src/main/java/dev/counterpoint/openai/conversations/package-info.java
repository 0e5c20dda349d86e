/// Conversations that the server keeps.
@NullMarked
package dev.counterpoint.openai.conversations;

import org.jspecify.annotations.NullMarked;
