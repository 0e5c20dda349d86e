package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Keeps text of a conversation that spells a control token text, so that nobody speaks in another's name: each such
/// mark has another spelling while the template is rendered. Immutable, thread-safe.
final class SpelledMarks {
    private static final char FIRST = '\uE000';
    private static final char LAST = '\uF8FF';
    private static final Pattern HIDDEN = Pattern.compile("\uE000([\uE000-\uF8FF])");

    /// The longest first.
    private final List<String> marks;

    SpelledMarks(Collection<String> marks) {
        this.marks = marks.stream()
                .filter(mark -> !mark.isBlank())
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .limit(LAST - FIRST)
                .toList();
    }

    /// The same with all marks in texts hidden; changes containers in place.
    JsonNode hidden(JsonNode node) {
        switch (node) {
            case ObjectNode object -> object.properties().forEach(each -> each.setValue(hidden(each.getValue())));
            case ArrayNode array -> IntStream.range(0, array.size()).forEach(i -> array.set(i, hidden(array.get(i))));
            case TextNode text -> {
                return TextNode.valueOf(hidden(text.textValue()));
            }
            default -> {}
        }
        return node;
    }

    private String hidden(String text) {
        var hidden = text;
        for (int i = 0; i < marks.size(); i++) {
            hidden = hidden.replace(marks.get(i), "" + FIRST + (char) (FIRST + i));
        }
        return hidden;
    }

    /// The tokens of a rendered prompt.
    ///
    /// @param tokenize a text, and whether it is one that was hidden
    int[] tokens(String prompt, BiFunction<String, Boolean, int[]> tokenize) {
        var tokens = new TokenBuffer(prompt.length());
        var hidden = HIDDEN.matcher(prompt);
        int done = 0;
        while (hidden.find()) {
            int mark = hidden.group(1).charAt(0) - FIRST;
            if (mark < marks.size()) {
                tokens.addAll(tokenize.apply(prompt.substring(done, hidden.start()), false));
                tokens.addAll(tokenize.apply(marks.get(mark), true));
                done = hidden.end();
            }
        }
        tokens.addAll(tokenize.apply(prompt.substring(done), false));
        return tokens.toArray();
    }
}
