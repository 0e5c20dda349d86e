package dev.counterpoint.engine.chat.probe;

/// What came of a question.
///
/// @param question that was asked
/// @param content in the place of the answer
/// @param told whether the server told reasoning beside it
/// @param whole whether the model ended by itself
public record TrialAnswer(TrialQuestion question, String content, boolean told, boolean whole) {
    /// A model's words are content.
    @Override
    public String toString() {
        return "TrialAnswer[" + question + ", told=" + told + ", whole=" + whole + "]";
    }
}
