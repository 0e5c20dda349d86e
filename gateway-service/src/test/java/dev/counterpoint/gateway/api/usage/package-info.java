@NullMarked
package dev.counterpoint.gateway.api.usage;

import org.jspecify.annotations.NullMarked;
