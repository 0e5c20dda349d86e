/// Every stream that a test reads goes past the judge.
@NullMarked
package dev.counterpoint.testkit.judged;

import org.jspecify.annotations.NullMarked;
