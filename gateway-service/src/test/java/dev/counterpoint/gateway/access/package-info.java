@NullMarked
package dev.counterpoint.gateway.access;

import org.jspecify.annotations.NullMarked;
