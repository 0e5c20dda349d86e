/// The gateway: HTTP in, jobs out, frames back.
@NullMarked
package dev.counterpoint.gateway;

import org.jspecify.annotations.NullMarked;
