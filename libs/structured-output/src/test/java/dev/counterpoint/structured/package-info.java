/// Tests of the whole way from a schema to the masks of a model's tokens.
@NullMarked
package dev.counterpoint.structured;

import org.jspecify.annotations.NullMarked;
