@NullMarked
package dev.counterpoint.gateway.conversations;

import org.jspecify.annotations.NullMarked;
