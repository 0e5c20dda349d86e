@NullMarked
package dev.counterpoint.audit.problem;

import org.jspecify.annotations.NullMarked;
