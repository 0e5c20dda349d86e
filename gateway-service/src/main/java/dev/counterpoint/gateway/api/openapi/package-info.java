/// The service's own OpenAPI document, made of what the code goes by.
@NullMarked
package dev.counterpoint.gateway.api.openapi;

import org.jspecify.annotations.NullMarked;
