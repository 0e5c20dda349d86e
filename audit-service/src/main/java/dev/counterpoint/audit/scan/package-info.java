/// Scans: jobs that look for texts in the content of records.
@NullMarked
package dev.counterpoint.audit.scan;

import org.jspecify.annotations.NullMarked;
