@NullMarked
package dev.counterpoint.gateway.completions;

import org.jspecify.annotations.NullMarked;
