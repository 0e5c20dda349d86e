@NullMarked
package dev.counterpoint.gateway.request;

import org.jspecify.annotations.NullMarked;
