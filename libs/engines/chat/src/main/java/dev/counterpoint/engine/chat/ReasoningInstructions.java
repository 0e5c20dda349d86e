package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Instructions to a model beside the client's words: how to show its reasoning, and which form its answer
/// has.
final class ReasoningInstructions {
    /// The question after an answer without reasoning.
    static final String AFTERWARDS = "Given the answer above, summarize the reasoning steps that justify it, in a few"
            + " plain sentences. Write nothing else.";

    /// The reply that the model hears when it has reported its reasoning.
    static final String REPORTED = "Noted. Now answer the user.";

    /// The marks that a model is asked for which has none of its own.
    static final MarkPair MARKS = new MarkPair("<<REASONING>>", "<</REASONING>>");

    private static final String ENVELOPE = "Answer with one JSON object and nothing outside of it, not even a block of"
            + " code: first its member \"reasoning\", a string with your reasoning step by step, then its member"
            + " \"answer\", %s. The user reads the answer only.";
    private static final String REPORT = "Before you answer, call the function " + ChatTask.REPORT
            + " with your reasoning step by step. The user reads the answer only.";
    private static final String MARKERS = "First write your reasoning step by step between <<REASONING>> and"
            + " <</REASONING>>, then, after these marks, the answer. The user reads the answer only.";
    private static final String TEXT = "a string with the answer";
    private static final String OBJECT = "a JSON object";
    private static final String MATCHING = "JSON that matches this schema: ";

    private ReasoningInstructions() {}

    /// The lines below the client's own instructions; empty where there is nothing to tell.
    static List<String> of(ChatTask wanted) {
        var texts = new ArrayList<String>();
        var form = form(wanted.job().format());
        var asked = wanted.asked().orElse(null);
        if (asked == ReasoningStrategy.ENVELOPE) {
            texts.add(ENVELOPE.formatted(form == null ? TEXT : form));
            return texts;
        }
        if (wanted.reports()) {
            texts.add(REPORT);
        } else if (asked == ReasoningStrategy.MARKERS) {
            texts.add(MARKERS);
        }
        if (form != null) {
            texts.add("The answer is " + form + " and nothing else, not even a block of code.");
        }
        return texts;
    }

    private static @Nullable String form(@Nullable ResponseFormat format) {
        if (format == null) {
            return null;
        }
        return format.schema() == null ? OBJECT : MATCHING + format.schema();
    }

    /// The function that a model reports its reasoning by.
    static ObjectNode report() {
        var tool = JsonNodeFactory.instance.objectNode().put("type", "function");
        var function = tool.putObject("function")
                .put("name", ChatTask.REPORT)
                .put("description", "Takes your reasoning, before you answer.");
        var parameters = function.putObject("parameters").put("type", "object");
        parameters
                .putObject("properties")
                .putObject("reasoning")
                .put("type", "string")
                .put("description", "Your reasoning step by step.");
        parameters.putArray("required").add("reasoning");
        return tool;
    }
}
