@NullMarked
package dev.counterpoint.audit.fleet;

import org.jspecify.annotations.NullMarked;
