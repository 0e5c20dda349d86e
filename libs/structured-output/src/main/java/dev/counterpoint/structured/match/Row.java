package dev.counterpoint.structured.match;

import java.util.List;

/// A place between two terminals: what the grammar can go on with. One of Earley's sets, but those of the same
/// content are one object (see [RowTable]), so that what was found out about one is known wherever it comes again.
/// Immutable.
final class Row {
    private final boolean accepting;
    private final List<Terminal> terminals;

    Row(boolean accepting, List<Terminal> terminals) {
        this.accepting = accepting;
        this.terminals = terminals;
    }

    /// True if the whole text may end here.
    boolean accepting() {
        return accepting;
    }

    List<Terminal> terminals() {
        return terminals;
    }
}
