/// The access log of staff and callers: who saw what, who was denied.
@NullMarked
package dev.counterpoint.audit.accesslog;

import org.jspecify.annotations.NullMarked;
