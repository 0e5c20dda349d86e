/// Grammars written down for servers that enforce them by themselves.
@NullMarked
package dev.counterpoint.structured.export;

import org.jspecify.annotations.NullMarked;
