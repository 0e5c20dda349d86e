/// The one error body of every endpoint.
@NullMarked
package dev.counterpoint.openai.error;

import org.jspecify.annotations.NullMarked;
