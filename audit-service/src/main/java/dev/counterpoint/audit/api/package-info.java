/// The HTTP interface of compliance staff: searches, readings, erasures, the access log.
@NullMarked
package dev.counterpoint.audit.api;

import org.jspecify.annotations.NullMarked;
