/// Which tokens may come next: an Earley parser over bytes that finds most of a mask in what is known about single
/// expressions, whatever the grammar.
@NullMarked
package dev.counterpoint.structured.match;

import org.jspecify.annotations.NullMarked;
