@NullMarked
package dev.counterpoint.gateway.reasoning;

import org.jspecify.annotations.NullMarked;
