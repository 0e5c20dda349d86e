@NullMarked
package dev.counterpoint.audit.scan;

import org.jspecify.annotations.NullMarked;
