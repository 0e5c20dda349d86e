/// dev.counterpoint.gateway.config
@NullMarked
package dev.counterpoint.gateway.config;

import org.jspecify.annotations.NullMarked;
