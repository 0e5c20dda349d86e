/// Messages to the audit service: traces, access entries, the terms of an opt-in.
@NullMarked
package dev.counterpoint.bus.audit;

import org.jspecify.annotations.NullMarked;
