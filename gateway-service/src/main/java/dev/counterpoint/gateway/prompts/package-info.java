/// Prompts that the operator keeps for callers, who name one and fill in its variables.
@NullMarked
package dev.counterpoint.gateway.prompts;

import org.jspecify.annotations.NullMarked;
