@NullMarked
package dev.counterpoint.gateway;

import org.jspecify.annotations.NullMarked;
