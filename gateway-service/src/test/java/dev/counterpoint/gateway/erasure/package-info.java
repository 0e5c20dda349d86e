@NullMarked
package dev.counterpoint.gateway.erasure;

import org.jspecify.annotations.NullMarked;
