@NullMarked
package dev.counterpoint.gateway.fleet;

import org.jspecify.annotations.NullMarked;
