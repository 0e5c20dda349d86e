/// What a model is asked, as the tokens that it continues.
@NullMarked
package dev.counterpoint.prompt;

import org.jspecify.annotations.NullMarked;
