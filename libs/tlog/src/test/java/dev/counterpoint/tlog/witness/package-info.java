@NullMarked
package dev.counterpoint.tlog.witness;

import org.jspecify.annotations.NullMarked;
