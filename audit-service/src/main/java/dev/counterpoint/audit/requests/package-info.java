/// Requests of staff and their decisions. Other packages run the approved actions.
@NullMarked
package dev.counterpoint.audit.requests;

import org.jspecify.annotations.NullMarked;
