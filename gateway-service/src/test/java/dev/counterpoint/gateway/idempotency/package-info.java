@NullMarked
package dev.counterpoint.gateway.idempotency;

import org.jspecify.annotations.NullMarked;
