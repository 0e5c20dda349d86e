/// dev.counterpoint.engine.testkit
@NullMarked
package dev.counterpoint.engine.testkit;

import org.jspecify.annotations.NullMarked;
