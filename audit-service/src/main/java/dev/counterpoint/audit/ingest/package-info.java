@NullMarked
package dev.counterpoint.audit.ingest;

import org.jspecify.annotations.NullMarked;
