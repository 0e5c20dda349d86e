/// dev.counterpoint.gateway.generation
@NullMarked
package dev.counterpoint.gateway.generation;

import org.jspecify.annotations.NullMarked;
