@NullMarked
package dev.counterpoint.audit.access;

import org.jspecify.annotations.NullMarked;
