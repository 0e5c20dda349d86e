@NullMarked
package dev.counterpoint.gateway.admission;

import org.jspecify.annotations.NullMarked;
