@NullMarked
package dev.counterpoint.gateway.store;

import org.jspecify.annotations.NullMarked;
