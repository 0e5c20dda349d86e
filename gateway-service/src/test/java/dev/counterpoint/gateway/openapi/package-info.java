@NullMarked
package dev.counterpoint.gateway.openapi;

import org.jspecify.annotations.NullMarked;
