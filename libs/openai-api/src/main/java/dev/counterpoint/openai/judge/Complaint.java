package dev.counterpoint.openai.judge;

/// One thing that is wrong with a stream, in plain words. It names ids, indexes, members and lengths, and never
/// repeats what prompt, answer or reasoning say.
public record Complaint(Place where, Rule rule, String message) {
    @Override
    public String toString() {
        return where + ": " + rule + ": " + message;
    }
}
