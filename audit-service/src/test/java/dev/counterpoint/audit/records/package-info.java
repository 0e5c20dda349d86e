@NullMarked
package dev.counterpoint.audit.records;

import org.jspecify.annotations.NullMarked;
