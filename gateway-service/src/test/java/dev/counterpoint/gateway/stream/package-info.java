@NullMarked
package dev.counterpoint.gateway.stream;

import org.jspecify.annotations.NullMarked;
