/// The audit service: raw reasoning of opted-in responses, encrypted, for compliance staff.
@NullMarked
package dev.counterpoint.audit;

import org.jspecify.annotations.NullMarked;
