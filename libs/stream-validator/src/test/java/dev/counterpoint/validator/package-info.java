@NullMarked
package dev.counterpoint.validator;

import org.jspecify.annotations.NullMarked;
