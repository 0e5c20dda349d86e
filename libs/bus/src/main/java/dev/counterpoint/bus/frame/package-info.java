/// The frames of a response's log, and the rules by which every reader reads them.
@NullMarked
package dev.counterpoint.bus.frame;

import org.jspecify.annotations.NullMarked;
