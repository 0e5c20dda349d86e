package dev.counterpoint.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a prompt tells the stand-in to do in one turn. A script is part of the user's message: entries that begin a
/// line with `think:`, `call:` or `say:`, each up to the next one.
/// Each `call:` ends a turn. The turn after its result has the thoughts and the action behind it. A turn without
/// `think:` has the thoughts of [Echo], one whose `think:` is blank has none.
///
/// @param call a function and its arguments; null where the turn ends without one
/// @param answer null where the turn ends with a call, or the script before an answer
record Script(
        List<String> thoughts,
        @Nullable String call,
        @Nullable String answer) {
    private static final Pattern ENTRY = Pattern.compile("(?m)^(?=(?:think|call|say):)");

    /// The turn after so many calls.
    static Script of(String message, int calls) {
        var thoughts = new ArrayList<String>();
        var said = new ArrayList<String>();
        int seen = 0;
        for (var entry : ENTRY.split(message)) {
            var text = entry.substring(entry.indexOf(':') + 1).strip();
            if (entry.startsWith("think:")) {
                thoughts.add(text);
            } else if (entry.startsWith("say:")) {
                said.add(text);
            } else if (entry.startsWith("call:")) {
                if (seen == calls) {
                    return new Script(thoughts, text, null);
                }
                seen++;
                thoughts.clear();
            }
        }
        return new Script(thoughts, null, said.isEmpty() ? null : String.join("\n", said));
    }
}
