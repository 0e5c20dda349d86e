@NullMarked
package dev.counterpoint.audit.staff;

import org.jspecify.annotations.NullMarked;
