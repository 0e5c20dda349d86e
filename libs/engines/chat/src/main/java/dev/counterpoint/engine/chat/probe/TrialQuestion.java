package dev.counterpoint.engine.chat.probe;

import java.util.List;
import java.util.regex.Pattern;

/// A question whose right answer is short and known, so that any other text beside it would be noticed.
public enum TrialQuestion {
    WORD("Reply with the single word BLUE.", "blue"),
    SUM("What is 17 + 25? Reply with the number only.", "42");

    /// In pairs, so that one lucky answer proves nothing.
    public static final List<TrialQuestion> PAIR = List.of(WORD, SUM);

    /// What models put around an answer; nothing can be said with these.
    private static final Pattern AROUND = Pattern.compile("^[\\s\"'`*_.!]+|[\\s\"'`*_.!]+$");

    private final String prompt;
    private final String answer;

    TrialQuestion(String prompt, String answer) {
        this.prompt = prompt;
        this.answer = answer;
    }

    /// As sent by a user.
    public String prompt() {
        return prompt;
    }

    /// True if the text is the right answer and nothing else.
    boolean isRight(String text) {
        return AROUND.matcher(text).replaceAll("").equalsIgnoreCase(answer);
    }
}
