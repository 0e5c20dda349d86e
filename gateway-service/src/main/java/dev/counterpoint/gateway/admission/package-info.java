/// Lets requests in, and decides whose job goes to the workers next.
@NullMarked
package dev.counterpoint.gateway.admission;

import org.jspecify.annotations.NullMarked;
