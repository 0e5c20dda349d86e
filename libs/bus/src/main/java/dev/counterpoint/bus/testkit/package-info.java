/// Sealing keys for the tests of whoever uses the bus.
@NullMarked
package dev.counterpoint.bus.testkit;

import org.jspecify.annotations.NullMarked;
