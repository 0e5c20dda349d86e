package dev.counterpoint.summarizer.redact;

import java.util.List;

/// The rest of a sentence after redaction.
public sealed interface Redaction {
    /// May be shown as far as its words go.
    ///
    /// @param text plain Markdown; `[redacted]` stands for what was taken out
    /// @param words its words in lower case, in order, without placeholders
    /// @param complete whether nothing was taken out
    /// @param names whether it holds a capitalised word or a placeholder that the user did not say
    /// @param numbers whether it holds a number that the user did not say
    record Clean(String text, List<String> words, boolean complete, boolean names, boolean numbers)
            implements Redaction {
        @Override
        public String toString() {
            return "Clean[words=" + words.size() + "]";
        }
    }

    /// Cannot be shown.
    ///
    /// @param exposing whether it holds something that looks like a secret or like personal data
    record Stopped(boolean exposing) implements Redaction {}
}
