/// What outlives a request, in PostgreSQL.
@NullMarked
package dev.counterpoint.gateway.store;

import org.jspecify.annotations.NullMarked;
