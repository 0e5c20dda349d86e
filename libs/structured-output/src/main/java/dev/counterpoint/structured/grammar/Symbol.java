package dev.counterpoint.structured.grammar;

import dev.counterpoint.structured.regex.Regex;
import java.util.List;

/// What a rule is made of.
public sealed interface Symbol {
    /// Bytes that an expression matches.
    record Terminal(Regex regex) implements Symbol {}

    /// Nothing, where a condition holds. An alternative that has one has a terminal or another rule too.
    ///
    /// @param needs whatever sets the marks that must be there: without a text for each of these nothing passes
    record Condition(Guard guard, List<? extends Symbol> needs) implements Symbol {
        public Condition {
            needs = List.copyOf(needs);
        }
    }

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
