package dev.counterpoint.local.faults;

import java.util.ArrayList;
import java.util.List;

/// Collects what one check finds about one response or request.
final class Violations {
    private final String where;
    private final List<Violation> found = new ArrayList<>();

    Violations(Object where) {
        this.where = where.toString();
    }

    /// @param rule in words, such as `one ending`
    /// @param holds whether it does
    /// @param what is told where it does not; no content
    void require(String rule, boolean holds, String what) {
        if (!holds) {
            found.add(new Violation(rule, where, what));
        }
    }

    List<Violation> found() {
        return found;
    }
}
