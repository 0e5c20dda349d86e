package dev.counterpoint.summarizer.describe;

import java.util.List;

/// Says after each complete thought of one reasoning message what the model is doing, by cues alone. The same text gives
/// the same thoughts, in whatever pieces it comes. Linear time, bounded memory. Not thread-safe.
public final class CueClassifier {
    public CueClassifier(SummaryContext context) {}

    /// More of the reasoning, in any pieces.
    ///
    /// @return the thoughts that it completes
    public List<Thought> accept(String text) {
        return List.of();
    }

    /// The message is over: what is open is a thought, too.
    public List<Thought> finish() {
        return List.of();
    }
}
