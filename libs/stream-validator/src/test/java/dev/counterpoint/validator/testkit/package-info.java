@NullMarked
package dev.counterpoint.validator.testkit;

import org.jspecify.annotations.NullMarked;
