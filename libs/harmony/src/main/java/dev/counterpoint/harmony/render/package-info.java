/// Conversations as token ids.
@NullMarked
package dev.counterpoint.harmony.render;

import org.jspecify.annotations.NullMarked;
