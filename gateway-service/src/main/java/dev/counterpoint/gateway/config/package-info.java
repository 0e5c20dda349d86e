/// The settings of the gateway.
@NullMarked
package dev.counterpoint.gateway.config;

import org.jspecify.annotations.NullMarked;
