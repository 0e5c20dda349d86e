package dev.counterpoint.engine.gguf;

import static dev.counterpoint.engine.chat.ReasoningInstructions.form;

import java.util.ArrayList;
import java.util.List;

/// Lines for a model beside the client's words, about the form of its turn, where its template has none.
final class Instructions {
    private static final String ENVELOPE =
            "Write one JSON object: first its member \"reasoning\", a string in which you think step by"
                    + " step, then its member \"answer\", %s for the user, who reads the answer only.";
    private static final String CALL_IN_ENVELOPE =
            "To call a function write the member \"call\" in place of \"answer\":"
                    + " {\"name\": its name, \"arguments\": its arguments}.";
    private static final String CALL = "To call a function write " + CallForm.USUAL.opening("name") + "{…}"
            + CallForm.USUAL.close() + " and nothing else.";
    private static final String FUNCTIONS = "You can call these functions:";

    private Instructions() {}

    /// The lines below the client's own instructions; empty where there is nothing to tell.
    static List<String> of(Turn turn) {
        var lines = new ArrayList<String>();
        var format = turn.job().format();
        if (!turn.calls().isEmpty() && !turn.traits().tools()) {
            lines.add(FUNCTIONS);
            turn.calls().forEach(tool -> lines.add(PromptWriter.declared(tool).toString()));
        }
        if (turn.envelope()) {
            lines.add(ENVELOPE.formatted(format == null ? "a string" : form(format)));
        } else if (format != null) {
            lines.add("The answer is " + form(format) + " and nothing else.");
        }
        if (!turn.calls().isEmpty() && turn.envelope()) {
            lines.add(CALL_IN_ENVELOPE);
        } else if (!turn.calls().isEmpty() && turn.callForm().equals(CallForm.USUAL)) {
            lines.add(CALL);
        }
        return lines;
    }
}
