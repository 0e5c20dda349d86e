/// The Responses API: checks and translates requests, assembles events, serves stored responses.
@NullMarked
package dev.counterpoint.gateway.api.responses;

import org.jspecify.annotations.NullMarked;
