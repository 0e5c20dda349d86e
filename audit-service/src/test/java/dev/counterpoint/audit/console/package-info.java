@NullMarked
package dev.counterpoint.audit.console;

import org.jspecify.annotations.NullMarked;
