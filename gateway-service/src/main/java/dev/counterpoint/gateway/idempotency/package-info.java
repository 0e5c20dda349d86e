/// Requests with an `Idempotency-Key`: one job, however often they come.
@NullMarked
package dev.counterpoint.gateway.idempotency;

import org.jspecify.annotations.NullMarked;
