package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// Every text in which a value of a finite schema may be written without blanks.
final class CompactTexts {
    private CompactTexts() {}

    static List<String> of(JsonNode value) {
        if (value.isObject()) {
            var members = value.properties().stream()
                    .map(one -> joined(List.of(strings(one.getKey()), of(one.getValue())), ":"))
                    .toList();
            return wrapped("{", joined(members, ","), "}");
        }
        if (value.isArray()) {
            var members = new ArrayList<List<String>>();
            value.forEach(one -> members.add(of(one)));
            return wrapped("[", joined(members, ","), "]");
        }
        if (value.isTextual()) {
            return strings(value.textValue());
        }
        // The only double of a finite schema is the other zero.
        return List.of(value.isDouble() ? "-0" : value.toString());
    }

    /// Quotes and backslashes have one escape each, and nothing else that is tested here has one.
    private static List<String> strings(String text) {
        return List.of(PythonJson.string(text));
    }

    private static List<String> wrapped(String open, List<String> inner, String close) {
        return inner.stream().map(text -> open + text + close).toList();
    }

    private static List<String> joined(List<List<String>> choices, String separator) {
        List<String> texts = List.of("");
        boolean first = true;
        for (var next : choices) {
            var between = first ? "" : separator;
            texts = texts.stream()
                    .flatMap(text -> next.stream().map(one -> text + between + one))
                    .toList();
            first = false;
        }
        return texts;
    }
}
