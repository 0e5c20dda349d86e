/// Regular expressions over bytes as automata that are built while they are used.
@NullMarked
package dev.counterpoint.structured.regex;

import org.jspecify.annotations.NullMarked;
