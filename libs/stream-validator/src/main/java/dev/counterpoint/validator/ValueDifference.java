package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/// Where two values or texts part, without saying what they hold.
final class ValueDifference {
    private ValueDifference() {}

    /// The path of the first member in which two JSON values differ, null when there is none. A member that is null is
    /// the same as one that is absent, and 1 is 1.0.
    static @Nullable String between(JsonNode one, JsonNode other) {
        return between(one, other, "");
    }

    private static @Nullable String between(JsonNode one, JsonNode other, String path) {
        if (one.isObject() && other.isObject()) {
            var names = new LinkedHashSet<String>();
            one.fieldNames().forEachRemaining(names::add);
            other.fieldNames().forEachRemaining(names::add);
            for (var name : new ArrayList<>(names)) {
                var found = between(one.path(name), other.path(name), path.isEmpty() ? name : path + "." + name);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        if (one.isArray() && other.isArray() && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                var found = between(one.path(i), other.path(i), path + "[" + i + "]");
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        return same(one, other) ? null : path;
    }

    private static boolean same(JsonNode one, JsonNode other) {
        if (absent(one) || absent(other)) {
            return absent(one) && absent(other);
        }
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        return one.equals(other);
    }

    static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    /// How a text differs from what it ought to be; null when it does not.
    static @Nullable String ofTexts(CharSequence said, CharSequence expected) {
        int length = Math.min(said.length(), expected.length());
        int same = 0;
        while (same < length && said.charAt(same) == expected.charAt(same)) {
            same++;
        }
        return same == said.length() && same == expected.length()
                ? null
                : "from character " + same + " on (" + said.length() + " against " + expected.length() + " characters)";
    }
}
