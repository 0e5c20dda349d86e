@NullMarked
package dev.counterpoint.gateway.usage;

import org.jspecify.annotations.NullMarked;
