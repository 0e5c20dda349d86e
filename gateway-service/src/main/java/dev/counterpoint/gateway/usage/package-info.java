/// What tenants used, for whoever bills them.
@NullMarked
package dev.counterpoint.gateway.usage;

import org.jspecify.annotations.NullMarked;
