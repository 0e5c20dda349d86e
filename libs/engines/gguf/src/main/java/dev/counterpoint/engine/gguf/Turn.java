package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import dev.counterpoint.engine.gguf.TurnStep.Form;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The turn that a job wants of a model: whether it reasons, what it may call, which form its answer has.
///
/// @param traits of the model's template
/// @param reasons whether the model is to show its reasoning
/// @param calls the functions that it may call
record Turn(GenerationJob job, TemplateTraits traits, boolean reasons, List<FunctionTool> calls) {
    /// The beginning of an envelope, `{"reasoning": …, "answer": …}`.
    private static final String REASONING = "{\"reasoning\": ";

    private static final String ANSWER = ", \"answer\": ";

    static Turn of(GenerationJob job, TemplateTraits traits) {
        var limit = job.reasoning().tokensMax();
        var choice = job.choice();
        var calls = job.tools().stream()
                .filter(tool -> choice.mode() != Mode.NONE
                        && (choice.mode() != Mode.FUNCTION || tool.name().equals(choice.name())))
                .toList();
        return new Turn(job, traits, limit == null || limit > 0, calls);
    }

    /// True if the model shows its reasoning as a member of a JSON object, because it has no marks of its own.
    boolean envelope() {
        return reasons && traits.marks() == null;
    }

    /// Where the answer is JSON, a call must not begin like JSON.
    CallForm callForm() {
        if (envelope()) {
            return CallForm.IN_ENVELOPE;
        }
        var own = traits.call();
        return own == null || job.format() != null && own.open().startsWith("{") ? CallForm.USUAL : own;
    }

    /// True if the output has a form that has to be enforced; else all that comes is the answer.
    boolean constrained() {
        return reasons || !calls.isEmpty() || job.format() != null;
    }

    /// The steps behind a prompt. A model with marks may have been given the first of them.
    TurnStep behind(String prompt) {
        var marks = traits.marks();
        if (envelope()) {
            return inEnvelope();
        }
        if (marks == null || !reasons || endsWith(prompt, marks.close())) {
            return said();
        }
        var reasoning = new TurnStep.Until(Part.REASONING, marks.close(), new TurnStep.Blanks(said()));
        return endsWith(prompt, marks.open()) ? reasoning : TurnStep.mark(marks.open(), reasoning);
    }

    /// What has to stand behind the prompt so that the model does not reason.
    String ending(String prompt) {
        var marks = traits.marks();
        return marks != null && !reasons && endsWith(prompt, marks.open()) ? marks.close() + "\n\n" : "";
    }

    private static boolean endsWith(String prompt, String mark) {
        return prompt.stripTrailing().endsWith(mark);
    }

    private TurnStep inEnvelope() {
        var format = job.format();
        TurnStep answer = format == null
                ? new TurnStep.Quoted(Part.ANSWER, TurnStep.mark("}", new TurnStep.End()))
                : new TurnStep.Rest(Part.ANSWER, new Form.Value(format.schema(), format.strict()), "}");
        var next = callMarks();
        if (!job.choice().forcesCall()) {
            next.put(ANSWER, answer);
        }
        return TurnStep.mark(REASONING, new TurnStep.Quoted(Part.REASONING, new TurnStep.Choice(next, null)));
    }

    /// An answer or a call.
    private TurnStep said() {
        var format = job.format();
        var marks = traits.marks();
        var answer = new TurnStep.Rest(
                Part.ANSWER,
                format == null
                        ? new Form.Text(marks == null ? List.of() : List.of(marks.open(), marks.close()))
                        : new Form.Value(format.schema(), format.strict()),
                "");
        if (calls.isEmpty()) {
            return answer;
        }
        return new TurnStep.Choice(callMarks(), job.choice().forcesCall() ? null : answer);
    }

    private Map<String, TurnStep> callMarks() {
        var form = callForm();
        var marks = new LinkedHashMap<String, TurnStep>();
        for (var tool : calls) {
            var arguments = tool.input() == null
                    ? new Form.Value(tool.parameters(), tool.strict())
                    : new Form.Input(tool.input());
            marks.put(
                    form.opening(tool.name()),
                    new TurnStep.Call(tool, new TurnStep.Rest(Part.ARGUMENTS, arguments, form.close())));
        }
        return marks;
    }
}
