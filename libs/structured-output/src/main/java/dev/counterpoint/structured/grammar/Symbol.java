package dev.counterpoint.structured.grammar;

import dev.counterpoint.structured.regex.Regex;

/// What a rule is made of.
public sealed interface Symbol {
    /// Bytes that an expression matches.
    record Terminal(Regex regex) implements Symbol {}

    /// One of a rule's alternatives. Made by [GrammarBuilder#rule].
    final class Rule implements Symbol {
        private final int number;

        Rule(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }
}
