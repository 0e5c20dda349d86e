package dev.counterpoint.engine.chat;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.ArrayList;
import java.util.List;

/// Instructions to a model beside the client's words: how to show its reasoning, and which form its answer
/// has.
public final class ReasoningInstructions {
    /// The question after an answer without reasoning.
    static final String AFTERWARDS = "Given the answer above, summarize the reasoning steps that justify it, in a few"
            + " plain sentences. Write nothing else.";

    /// The reply that the model hears when it has reported its reasoning.
    static final String REPORTED = "Noted. Now answer the user.";

    /// The function that a model reports its reasoning by.
    static final FunctionTool REPORTING =
            new FunctionTool(ChatTask.REPORT, "Takes your reasoning, before you answer.", """
            {"type":"object","properties":{"reasoning":{"type":"string","description":"Your reasoning step by step."}},\
            "required":["reasoning"]}""", false);

    /// The marks that a model is asked for which has none of its own.
    static final MarkPair MARKS = new MarkPair("<<REASONING>>", "<</REASONING>>");

    private static final String ENVELOPE = "Answer with one JSON object and nothing outside of it, not even a block of"
            + " code: first its member \"reasoning\", a string with your reasoning step by step, then its member"
            + " \"answer\", %s. The user reads the answer only.";
    private static final String REPORT = "Before you answer, call the function " + ChatTask.REPORT
            + " with your reasoning step by step. The user reads the answer only.";
    private static final String MARKERS = "First write your reasoning step by step between <<REASONING>> and"
            + " <</REASONING>>, then, after these marks, the answer. The user reads the answer only.";

    private ReasoningInstructions() {}

    /// The lines below the client's own instructions; empty where there is nothing to tell.
    static List<String> of(ChatTask wanted) {
        var texts = new ArrayList<String>();
        var format = wanted.job().format();
        var asked = wanted.asked().orElse(null);
        if (asked == ReasoningStrategy.ENVELOPE) {
            texts.add(ENVELOPE.formatted(format == null ? "a string with the answer" : form(format)));
            return texts;
        }
        if (wanted.reports()) {
            texts.add(REPORT);
        } else if (asked == ReasoningStrategy.MARKERS) {
            texts.add(MARKERS);
        }
        if (format != null) {
            texts.add("The answer is " + form(format) + " and nothing else, not even a block of code.");
        }
        return texts;
    }

    /// A form in the words of an instruction.
    public static String form(ResponseFormat format) {
        return format.schema() == null ? "a JSON object" : "JSON that matches this schema: " + format.schema();
    }
}
