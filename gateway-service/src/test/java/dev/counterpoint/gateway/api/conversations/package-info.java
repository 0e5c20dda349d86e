@NullMarked
package dev.counterpoint.gateway.api.conversations;

import org.jspecify.annotations.NullMarked;
