/// The rows in PostgreSQL that outlive a request, the helper for native SQL, and the housekeeping.
@NullMarked
package dev.counterpoint.gateway.store;

import org.jspecify.annotations.NullMarked;
