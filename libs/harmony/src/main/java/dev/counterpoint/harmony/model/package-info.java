/// Conversations, messages and tools as Harmony has them.
@NullMarked
package dev.counterpoint.harmony.model;

import org.jspecify.annotations.NullMarked;
