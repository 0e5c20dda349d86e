@NullMarked
package dev.counterpoint.gateway.api.completions;

import org.jspecify.annotations.NullMarked;
