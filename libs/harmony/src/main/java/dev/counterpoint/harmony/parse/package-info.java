/// Token ids as messages, whatever a model writes.
@NullMarked
package dev.counterpoint.harmony.parse;

import org.jspecify.annotations.NullMarked;
