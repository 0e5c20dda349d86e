/// The Responses API.
@NullMarked
package dev.counterpoint.gateway.responses;

import org.jspecify.annotations.NullMarked;
