package dev.counterpoint.structured.grammar;

/// A condition on the marks that a rule and those that go on for it at their ends have set so far. Each rule that is
/// asked for in the middle of an alternative has marks of its own, none at first.
///
/// @param absent marks of which none may be set
/// @param present marks that must be set
/// @param added marks that are set from here on
public record Guard(long absent, long present, long added) {
    /// True if an alternative may go on with these marks.
    public boolean passes(long marks) {
        return (marks & absent) == 0 && (marks & present) == present;
    }
}
