/// Every stream that a test reads goes past the validator.
@NullMarked
package dev.counterpoint.validator.testkit;

import org.jspecify.annotations.NullMarked;
