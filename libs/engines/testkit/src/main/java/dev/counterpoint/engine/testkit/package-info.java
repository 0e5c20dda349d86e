/// The contract that every engine keeps, as tests to extend; a server that fakes others; and agents before several
/// servers.
@NullMarked
package dev.counterpoint.engine.testkit;

import org.jspecify.annotations.NullMarked;
