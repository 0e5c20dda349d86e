@NullMarked
package dev.counterpoint.audit.keys;

import org.jspecify.annotations.NullMarked;
