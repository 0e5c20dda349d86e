@NullMarked
package dev.counterpoint.audit.requests;

import org.jspecify.annotations.NullMarked;
