@NullMarked
package dev.counterpoint.tlog;

import org.jspecify.annotations.NullMarked;
