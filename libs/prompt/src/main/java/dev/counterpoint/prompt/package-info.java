/// Prompts: a job of the bus as the tokens that a model continues.
@NullMarked
package dev.counterpoint.prompt;

import org.jspecify.annotations.NullMarked;
