/// dev.counterpoint.gateway.api.models
@NullMarked
package dev.counterpoint.gateway.api.models;

import org.jspecify.annotations.NullMarked;
