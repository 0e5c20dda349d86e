/// What text may look like, character by character: patterns, formats and numbers, and how JSON spells them.
@NullMarked
package dev.counterpoint.structured.text;

import org.jspecify.annotations.NullMarked;
