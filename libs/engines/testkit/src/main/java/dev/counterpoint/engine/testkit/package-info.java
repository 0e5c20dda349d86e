/// The contract that every engine keeps, as tests to extend, and a server that fakes others.
@NullMarked
package dev.counterpoint.engine.testkit;

import org.jspecify.annotations.NullMarked;
