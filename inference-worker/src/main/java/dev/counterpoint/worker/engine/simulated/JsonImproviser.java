package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.worker.engine.simulated.Outline.JsonValues;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/// Ways to go on with JSON whose schema only the mask knows: sensible values, and an early end.
final class JsonImproviser {
    /// Below this depth nothing is opened that need not be, so that recursive schemas end.
    private static final int DEPTH_MAX = 6;

    private enum Expects {
        KEY,
        COLON,
        VALUE,
        SEPARATOR
    }

    private final Deque<Character> open = new ArrayDeque<>();
    private Expects expects = Expects.VALUE;
    private boolean inString;
    private boolean keyString;
    private int stringLength;
    private String key = "";

    private JsonImproviser() {}

    /// Texts that may follow `body`, best first; the mask picks the first that it allows.
    static List<String> goOn(String body, Function<String, JsonValues> values) {
        var state = new JsonImproviser();
        state.read(body);
        return state.proposals(values);
    }

    private void read(String body) {
        var string = new StringBuilder();
        for (int i = 0; i < body.length(); i++) {
            char next = body.charAt(i);
            if (inString && next == '\\') {
                string.append(next);
                i++;
            } else if (inString && next == '"') {
                endString(string.toString());
            } else if (inString) {
                string.append(next);
            } else if (next == '"') {
                string.setLength(0);
                inString = true;
                keyString = expects == Expects.KEY;
            } else {
                readOutside(next);
            }
        }
        stringLength = string.length();
    }

    private void endString(String string) {
        inString = false;
        if (keyString) {
            key = string;
            expects = Expects.COLON;
        } else {
            expects = Expects.SEPARATOR;
        }
    }

    private void readOutside(char next) {
        switch (next) {
            case '{' -> {
                open.push(next);
                expects = Expects.KEY;
            }
            case '[' -> {
                open.push(next);
                expects = Expects.VALUE;
            }
            case '}', ']' -> {
                open.poll();
                expects = Expects.SEPARATOR;
            }
            case ':' -> expects = Expects.VALUE;
            case ',' -> expects = inObject() ? Expects.KEY : Expects.VALUE;
            case ' ', '\n', '\r', '\t' -> {}
            default -> expects = Expects.SEPARATOR;
        }
    }

    private boolean inObject() {
        return !open.isEmpty() && open.peek() == '{';
    }

    private List<String> proposals(Function<String, JsonValues> values) {
        if (inString) {
            return stringProposals(values);
        }
        return switch (expects) {
            case KEY -> List.of("}", "\"answer\"", "\"");
            case COLON -> List.of(":");
            case VALUE -> valueProposals(values.apply(key));
            case SEPARATOR ->
                open.isEmpty()
                        ? List.of(String.valueOf(MarkedText.RETURN), String.valueOf(MarkedText.CALL))
                        : List.of("}", "]", ",");
        };
    }

    private List<String> stringProposals(Function<String, JsonValues> values) {
        if (keyString) {
            return stringLength == 0 ? List.of("answer\"", "\"") : List.of("\"");
        }
        var text = values.apply(key).text();
        return stringLength == 0 && !text.isEmpty() ? List.of(Json.quoted(text).substring(1), "\"") : List.of("\"");
    }

    private List<String> valueProposals(JsonValues value) {
        var truth = String.valueOf(value.truth());
        if (open.size() > DEPTH_MAX) {
            return List.of("]", "null", "\"\"", value.number(), truth, "{", "[");
        }
        return List.of(Json.quoted(value.text()), value.number(), truth, "{", "[", "null", "\"", "]", "true", "false");
    }
}
