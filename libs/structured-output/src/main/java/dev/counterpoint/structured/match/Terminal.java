package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import java.util.List;

/// A terminal that may come in a row. Compared by identity.
final class Terminal {
    private final Regex regex;
    private final List<Item> after;

    /// @param after the items that come after it
    Terminal(Regex regex, List<Item> after) {
        this.regex = regex;
        this.after = after;
    }

    Regex regex() {
        return regex;
    }

    List<Item> after() {
        return after;
    }
}
