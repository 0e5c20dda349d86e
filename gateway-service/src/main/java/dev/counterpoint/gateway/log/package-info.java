@NullMarked
package dev.counterpoint.gateway.log;

import org.jspecify.annotations.NullMarked;
