package dev.counterpoint.engine.chat.family;

import java.util.List;

/// How the text of a model is told apart, and why it is believed to be so.
///
/// @param unmarked what text is that no mark tells apart
/// @param reasoning marks around reasoning that are looked for
/// @param answer marks around the answer, which are taken off
/// @param harmony whether the text is Harmony, with its control tokens as text or stripped of them
/// @param why in a few words, for operators
public record TextRule(
        Unmarked unmarked, List<MarkPair> reasoning, List<MarkPair> answer, boolean harmony, String why) {
    /// What text is that no mark tells apart.
    public enum Unmarked {
        /// The answer, shown as it comes: the model shows no reasoning in its text.
        ANSWER,
        /// Held; the answer if the model ended by itself and no mark came: the model writes each opening
        /// mark itself.
        ANSWER_WHEN_WHOLE,
        /// Reasoning, up to the first closing mark: the chat template wrote the opening one.
        REASONING,
        /// Held, and withheld if nothing told it apart.
        UNKNOWN
    }

    public TextRule {
        reasoning = List.copyOf(reasoning);
        answer = List.copyOf(answer);
    }

    /// The same where unmarked text is something else.
    public TextRule with(Unmarked other) {
        return new TextRule(other, reasoning, answer, harmony, why);
    }
}
