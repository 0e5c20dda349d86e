/// Context-free grammars whose terminals are regular expressions over bytes.
@NullMarked
package dev.counterpoint.structured.grammar;

import org.jspecify.annotations.NullMarked;
