@NullMarked
package dev.counterpoint.harmony;

import org.jspecify.annotations.NullMarked;
