@NullMarked
package dev.counterpoint.audit.log;

import org.jspecify.annotations.NullMarked;
