package dev.counterpoint.summarizer.judge;

import java.util.List;

/// The decision on a sentence.
public sealed interface Verdict {
    /// It may be shown once its neighbours are known.
    ///
    /// @param words its words in lower case
    record Release(String text, List<String> words) implements Verdict {
        @Override
        public String toString() {
            return "Release";
        }
    }

    /// It is not shown.
    ///
    /// @param before how many sentences before it are withheld for its sake
    record Withhold(int before) implements Verdict {}
}
