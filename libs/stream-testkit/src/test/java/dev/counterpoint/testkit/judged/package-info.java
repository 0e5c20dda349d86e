@NullMarked
package dev.counterpoint.testkit.judged;

import org.jspecify.annotations.NullMarked;
