/// The use that tenants made of models, for whoever bills them.
@NullMarked
package dev.counterpoint.gateway.api.usage;

import org.jspecify.annotations.NullMarked;
