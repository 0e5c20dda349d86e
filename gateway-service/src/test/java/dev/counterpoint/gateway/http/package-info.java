@NullMarked
package dev.counterpoint.gateway.http;

import org.jspecify.annotations.NullMarked;
