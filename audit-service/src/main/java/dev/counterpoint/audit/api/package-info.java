@NullMarked
package dev.counterpoint.audit.api;

import org.jspecify.annotations.NullMarked;
