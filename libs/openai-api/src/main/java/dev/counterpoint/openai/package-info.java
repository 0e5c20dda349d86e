/// The OpenAI API's wire types as records in sealed families, for servers and clients alike.
@NullMarked
package dev.counterpoint.openai;

import org.jspecify.annotations.NullMarked;
