@NullMarked
package dev.counterpoint.audit.accesslog;

import org.jspecify.annotations.NullMarked;
