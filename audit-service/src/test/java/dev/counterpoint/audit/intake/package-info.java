@NullMarked
package dev.counterpoint.audit.intake;

import org.jspecify.annotations.NullMarked;
