package dev.counterpoint.validator;

/// One thing that is wrong with a stream, in plain words. It names ids, indexes, members and lengths, and never
/// repeats what prompt, answer or reasoning say.
public record StreamViolation(StreamPosition where, ValidationRule rule, String message) {
    @Override
    public String toString() {
        return where + ": " + rule + ": " + message;
    }
}
