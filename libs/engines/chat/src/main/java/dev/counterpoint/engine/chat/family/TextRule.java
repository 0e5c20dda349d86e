package dev.counterpoint.engine.chat.family;

import java.util.List;

/// How a model shows reasoning in its text, and why the worker believes so.
///
/// @param unmarked the meaning of text without marks
/// @param reasoning marks around reasoning, those of the model's family first
/// @param answer marks around the answer, which are removed
/// @param harmony whether the text is Harmony, with its control tokens as text or stripped of them
/// @param why in a few words, for operators
public record TextRule(
        Unmarked unmarked, List<MarkPair> reasoning, List<MarkPair> answer, boolean harmony, String why) {
    /// The meaning of text without marks.
    public enum Unmarked {
        /// The answer, shown as it arrives: the operator says so.
        ANSWER,
        /// Held; the answer if the model ended by itself: the model writes each opening mark itself.
        ANSWER_WHEN_WHOLE,
        /// Reasoning, up to the first closing mark: the chat template wrote the opening one.
        REASONING,
        /// Held, and withheld if no mark came.
        UNKNOWN
    }

    public TextRule {
        reasoning = List.copyOf(reasoning);
        answer = List.copyOf(answer);
    }

    /// The same with another meaning of text without marks.
    public TextRule with(Unmarked other) {
        return new TextRule(other, reasoning, answer, harmony, why);
    }
}
