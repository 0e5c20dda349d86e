/// Requests of both APIs: their rules, their tools and schemas, and the prompt that they become.
@NullMarked
package dev.counterpoint.gateway.request;

import org.jspecify.annotations.NullMarked;
