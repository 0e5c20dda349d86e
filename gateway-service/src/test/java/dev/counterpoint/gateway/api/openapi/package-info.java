@NullMarked
package dev.counterpoint.gateway.api.openapi;

import org.jspecify.annotations.NullMarked;
