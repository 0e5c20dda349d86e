package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.AnswerPlanner.JsonValues;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/// Ways to go on with JSON whose schema only the mask knows: sensible values, and an early end. Reads the JSON that was
/// said character by character, so each way costs the same however long the JSON is.
final class JsonContinuation {
    /// Below this depth nothing is opened that need not be, so that recursive schemas end.
    private static final int DEPTH_MAX = 6;

    private static final int KEY_MAX = 200;

    private enum Expects {
        KEY,
        COLON,
        VALUE,
        SEPARATOR
    }

    private final Deque<Character> open = new ArrayDeque<>();
    private final StringBuilder key = new StringBuilder();
    private Expects expects = Expects.VALUE;
    private boolean inString;
    private boolean escaped;
    private int stringLength;

    /// Takes the next character that was said.
    void read(char next) {
        if (!inString) {
            readOutside(next);
            return;
        }
        if (next == '"' && !escaped) {
            inString = false;
            expects = expects == Expects.KEY ? Expects.COLON : Expects.SEPARATOR;
            return;
        }
        escaped = next == '\\' && !escaped;
        stringLength++;
        if (expects == Expects.KEY && key.length() < KEY_MAX) {
            key.append(next);
        }
    }

    private void readOutside(char next) {
        switch (next) {
            case '"' -> {
                inString = true;
                stringLength = 0;
                key.setLength(expects == Expects.KEY ? 0 : key.length());
            }
            case '{', '[' -> {
                open.push(next);
                expects = next == '{' ? Expects.KEY : Expects.VALUE;
            }
            case '}', ']' -> {
                open.poll();
                expects = Expects.SEPARATOR;
            }
            case ':' -> expects = Expects.VALUE;
            case ',' -> expects = !open.isEmpty() && open.peek() == '{' ? Expects.KEY : Expects.VALUE;
            case ' ', '\n', '\r', '\t' -> {}
            default -> expects = Expects.SEPARATOR;
        }
    }

    /// Texts that may follow, best first; the mask picks the first that it allows.
    List<String> goOn(Function<String, JsonValues> values) {
        if (inString && expects == Expects.KEY) {
            return stringLength == 0 ? List.of("answer\"", "\"") : List.of("\"");
        }
        if (inString) {
            var text = stringLength == 0 ? values.apply(key.toString()).text() : "";
            return text.isEmpty()
                    ? List.of("\"")
                    : List.of(PromptWords.toJson(text).substring(1), "\"");
        }
        return switch (expects) {
            case KEY -> List.of("}", "\"answer\"", "\"");
            case COLON -> List.of(":");
            case VALUE -> someValues(values.apply(key.toString()));
            case SEPARATOR ->
                open.isEmpty()
                        ? List.of(String.valueOf(HarmonyMarkup.RETURN), String.valueOf(HarmonyMarkup.CALL))
                        : List.of("}", "]", ",");
        };
    }

    private List<String> someValues(JsonValues value) {
        var truth = String.valueOf(value.truth());
        return open.size() > DEPTH_MAX
                ? List.of("]", "null", "\"\"", value.number(), truth, "{", "[")
                : List.of(
                        PromptWords.toJson(value.text()),
                        value.number(),
                        truth,
                        "{",
                        "[",
                        "null",
                        "\"",
                        "]",
                        "true",
                        "false");
    }
}
