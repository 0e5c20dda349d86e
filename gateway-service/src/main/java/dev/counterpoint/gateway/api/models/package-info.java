/// The models that live workers serve, as the API lists them.
@NullMarked
package dev.counterpoint.gateway.api.models;

import org.jspecify.annotations.NullMarked;
