/// Grammars as clients send them with custom tools: Lark's syntax or one regular expression.
@NullMarked
package dev.counterpoint.structured.lark;

import org.jspecify.annotations.NullMarked;
