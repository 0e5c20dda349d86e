/// The Responses API.
@NullMarked
package dev.counterpoint.gateway.api.responses;

import org.jspecify.annotations.NullMarked;
