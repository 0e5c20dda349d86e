package dev.counterpoint.openai.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What differs between a value as it came and as it is written again.
///
/// Numbers are equal by value. Null is as good as absent: whether a member must be there is for the contract to say.
final class Differences {
    /// What the library writes though it was not there, because readers rely on it.
    private static final Map<String, Set<String>> WRITTEN_ALWAYS = Map.of(
            "annotations", Set.of("[]"),
            "detail", Set.of("\"auto\""),
            "logprobs", Set.of("[]"),
            "type", Set.of("\"message\"", "\"item_reference\"", "\"function\""));

    private final List<String> found = new ArrayList<>();

    private Differences() {}

    static List<String> between(JsonNode came, JsonNode written) {
        var differences = new Differences();
        differences.compare(came, written, "");
        return differences.found;
    }

    private void compare(JsonNode came, JsonNode written, String path) {
        if (came.isObject() && written.isObject()) {
            var names = new TreeSet<String>();
            came.fieldNames().forEachRemaining(names::add);
            written.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> member(came, written, name, path + "." + name));
        } else if (came.isArray() && written.isArray() && came.size() == written.size()) {
            for (int i = 0; i < came.size(); i++) {
                compare(came.get(i), written.get(i), path + "[" + i + "]");
            }
        } else if (came.isNumber() && written.isNumber()
                ? came.decimalValue().compareTo(written.decimalValue()) != 0
                : !came.equals(written)) {
            found.add(path + " was " + came + " and is " + written);
        }
    }

    private void member(JsonNode came, JsonNode written, String name, String path) {
        if (came.hasNonNull(name) && written.hasNonNull(name)) {
            compare(came.get(name), written.get(name), path);
        } else if (came.hasNonNull(name)) {
            found.add(path + " is gone, was " + came.get(name));
        } else if (written.hasNonNull(name)
                && !WRITTEN_ALWAYS
                        .getOrDefault(name, Set.of())
                        .contains(written.get(name).toString())) {
            found.add(path + " is new: " + written.get(name));
        }
    }
}
