@NullMarked
package dev.counterpoint.gateway.problem;

import org.jspecify.annotations.NullMarked;
