/// Who is let in, and whose job goes to the workers next.
@NullMarked
package dev.counterpoint.gateway.admission;

import org.jspecify.annotations.NullMarked;
