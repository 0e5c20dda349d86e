package dev.counterpoint.engine.chat.split;

import org.jspecify.annotations.Nullable;

/// The opening marks that an answer speaks about, whose closing marks are none either. Not thread-safe.
final class AnswerMentions {
    /// In code.
    private int examples;
    /// The answer since a mark that looks like a mention; null for none.
    private @Nullable StringBuilder since;
    /// The mark at hand is one.
    private boolean now;

    void inCode() {
        examples++;
    }

    void inSentence() {
        now = true;
    }

    void words(String text) {
        if (since != null && since.length() < Grade.HARMLESS_MAX) {
            since.append(text, 0, Math.min(text.length(), Grade.HARMLESS_MAX));
        }
    }

    /// The mark at hand has been said.
    void said() {
        if (now) {
            now = false;
            since = new StringBuilder();
        }
    }

    /// @param told whether a mark has told reasoning from answer
    /// @return whether the closing mark belongs to one of them
    boolean close(Before before, Ahead ahead, boolean told) {
        if (before.code() && examples > 0) {
            examples--;
            return true;
        }
        boolean spoken = since != null && (Grade.isHarmless(since) || told && Grade.isNamed(before, ahead));
        if (spoken) {
            forget();
        }
        return spoken;
    }

    /// What was said turned out to be no answer.
    void forget() {
        since = null;
    }
}
