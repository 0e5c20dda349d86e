/// What the tables of this service share: search conditions, times.
@NullMarked
package dev.counterpoint.audit.store;

import org.jspecify.annotations.NullMarked;
