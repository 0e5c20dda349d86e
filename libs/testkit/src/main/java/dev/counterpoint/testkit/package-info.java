@NullMarked
package dev.counterpoint.testkit;

import org.jspecify.annotations.NullMarked;
