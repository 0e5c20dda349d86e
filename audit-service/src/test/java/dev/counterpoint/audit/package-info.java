@NullMarked
package dev.counterpoint.audit;

import org.jspecify.annotations.NullMarked;
