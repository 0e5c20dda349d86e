package dev.counterpoint.local.faults;

/// A promise that was broken.
///
/// @param rule which one
/// @param where the response or request
/// @param what was seen; without content
record Violation(String rule, String where, String what) {
    @Override
    public String toString() {
        return rule + ": " + where + ": " + what;
    }
}
