@NullMarked
package dev.counterpoint.gateway.prompts;

import org.jspecify.annotations.NullMarked;
