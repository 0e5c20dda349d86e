@NullMarked
package dev.counterpoint.audit.store;

import org.jspecify.annotations.NullMarked;
