/// OpenAI's rules for schemas, in OpenAI's words: what strict mode takes, and what is a JSON schema at all.
@NullMarked
package dev.counterpoint.structured.strict;

import org.jspecify.annotations.NullMarked;
