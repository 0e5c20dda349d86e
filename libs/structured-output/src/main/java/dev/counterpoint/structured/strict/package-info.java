/// OpenAI's rules for schemas, in OpenAI's words: the schemas that strict mode accepts, and the definition of a
/// JSON schema.
@NullMarked
package dev.counterpoint.structured.strict;

import org.jspecify.annotations.NullMarked;
