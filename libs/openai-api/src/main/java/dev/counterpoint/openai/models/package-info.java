/// The list of models.
@NullMarked
package dev.counterpoint.openai.models;

import org.jspecify.annotations.NullMarked;
