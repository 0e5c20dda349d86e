/// Takes traces and access entries from the bus, one at a time and in order.
@NullMarked
package dev.counterpoint.audit.ingest;

import org.jspecify.annotations.NullMarked;
