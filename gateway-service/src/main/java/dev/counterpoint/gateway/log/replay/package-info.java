/// Reads the logs of responses again, for readers that resume or repeat.
@NullMarked
package dev.counterpoint.gateway.log.replay;

import org.jspecify.annotations.NullMarked;
