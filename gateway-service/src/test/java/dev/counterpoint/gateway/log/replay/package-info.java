@NullMarked
package dev.counterpoint.gateway.log.replay;

import org.jspecify.annotations.NullMarked;
