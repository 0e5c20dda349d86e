/// Deletes what gateways store of a person whom the audit service erased.
@NullMarked
package dev.counterpoint.gateway.erasure;

import org.jspecify.annotations.NullMarked;
