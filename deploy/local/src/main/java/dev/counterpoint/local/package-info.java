@NullMarked
package dev.counterpoint.local;

import org.jspecify.annotations.NullMarked;
