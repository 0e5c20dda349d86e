/// Errors as callers see them, and the drain at a stop.
@NullMarked
package dev.counterpoint.audit.problem;

import org.jspecify.annotations.NullMarked;
