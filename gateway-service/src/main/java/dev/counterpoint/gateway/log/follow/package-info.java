/// Follows the logs of responses: frames in, outputs for their readers out.
@NullMarked
package dev.counterpoint.gateway.log.follow;

import org.jspecify.annotations.NullMarked;
