@NullMarked
package dev.counterpoint.structured.strict;

import org.jspecify.annotations.NullMarked;
