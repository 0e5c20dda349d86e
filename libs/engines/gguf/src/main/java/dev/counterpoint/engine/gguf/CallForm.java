package dev.counterpoint.engine.gguf;

import java.util.Collection;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How a model writes a call: its name between two texts, its arguments as JSON, and a text behind them.
///
/// @param open before the name
/// @param middle between name and arguments
/// @param close behind the arguments
record CallForm(String open, String middle, String close) {
    /// The form for models whose template defines none; many models were trained on it.
    static final CallForm USUAL = new CallForm("<tool_call>\n{\"name\": \"", "\", \"arguments\": ", "}\n</tool_call>");
    /// Behind the reasoning of an envelope.
    static final CallForm IN_ENVELOPE = new CallForm(", \"call\": {\"name\": \"", "\", \"arguments\": ", "}}");

    String opening(String function) {
        return open + function + middle;
    }

    /// @param turn what the template makes of a turn with a call of this function with one argument
    /// @param ends the spellings of tokens that end an output
    static @Nullable CallForm in(String turn, String function, String key, Collection<String> ends) {
        var arguments = Pattern.compile("\\{\\s*\"" + Pattern.quote(key) + "\"\\s*:\\s*\"[a-z]*\"\\s*}")
                .matcher(turn);
        int name = turn.indexOf(function);
        if (name < 0 || !arguments.find(name) || turn.indexOf(function, name + 1) >= 0) {
            return null;
        }
        var rest = turn.substring(arguments.end());
        int end = ends.stream()
                .filter(mark -> !mark.isEmpty())
                .mapToInt(rest::indexOf)
                .filter(at -> at >= 0)
                .min()
                .orElse(rest.stripTrailing().length());
        var open = turn.substring(0, name).stripLeading();
        var middle = turn.substring(name + function.length(), arguments.start());
        return open.isEmpty() ? null : new CallForm(open, middle, rest.substring(0, end));
    }
}
