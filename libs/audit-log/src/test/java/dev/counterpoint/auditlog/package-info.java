@NullMarked
package dev.counterpoint.auditlog;

import org.jspecify.annotations.NullMarked;
