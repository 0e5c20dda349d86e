/// The tokens of a model as a trie of their bytes, and sets of them.
@NullMarked
package dev.counterpoint.structured.vocabulary;

import org.jspecify.annotations.NullMarked;
