/// Deletes the rows of persons that the audit service erased.
@NullMarked
package dev.counterpoint.gateway.erasure;

import org.jspecify.annotations.NullMarked;
