/// Stored records: written once, searched, opened, erased.
@NullMarked
package dev.counterpoint.audit.records;

import org.jspecify.annotations.NullMarked;
