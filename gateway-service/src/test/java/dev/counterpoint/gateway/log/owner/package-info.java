@NullMarked
package dev.counterpoint.gateway.log.owner;

import org.jspecify.annotations.NullMarked;
