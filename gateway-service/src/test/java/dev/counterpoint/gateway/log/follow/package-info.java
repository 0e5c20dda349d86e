@NullMarked
package dev.counterpoint.gateway.log.follow;

import org.jspecify.annotations.NullMarked;
