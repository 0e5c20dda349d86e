@NullMarked
package dev.counterpoint.worker;

import org.jspecify.annotations.NullMarked;
