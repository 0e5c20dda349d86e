package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Makes a case smaller for as long as it still fails: leaves out members, items and halves of texts.
final class Shrinker {
    private static final int TRIES_MAX = 3000;

    private final Predicate<JsonNode> stillFails;
    private int tries;

    private Shrinker(Predicate<JsonNode> stillFails) {
        this.stillFails = stillFails;
    }

    static JsonNode shrink(JsonNode failing, Predicate<JsonNode> stillFails) {
        var shrinker = new Shrinker(stillFails);
        var smallest = failing;
        for (var smaller = smallest; smaller != null; smaller = shrinker.smaller(smallest)) {
            smallest = smaller;
        }
        return smallest;
    }

    /// The first smaller one that fails, or null.
    private @Nullable JsonNode smaller(JsonNode json) {
        for (JsonNode candidate : candidates(json)) {
            if (tries++ >= TRIES_MAX) {
                return null;
            }
            if (stillFails.test(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static List<JsonNode> candidates(JsonNode json) {
        var candidates = new ArrayList<JsonNode>();
        switch (json) {
            case ArrayNode array -> addFromArray(array, candidates);
            case ObjectNode object -> addFromObject(object, candidates);
            case TextNode text -> addFromText(text.asText(), candidates);
            default -> {}
        }
        return candidates;
    }

    private static void addFromArray(ArrayNode array, List<JsonNode> candidates) {
        for (int length = array.size(); length > 0; length /= 2) {
            for (int from = 0; from + length <= array.size(); from += length) {
                var shorter = array.deepCopy();
                for (int i = 0; i < length; i++) {
                    shorter.remove(from);
                }
                candidates.add(shorter);
            }
        }
        for (int i = 0; i < array.size(); i++) {
            for (JsonNode item : candidates(array.get(i))) {
                var changed = array.deepCopy();
                changed.set(i, item);
                candidates.add(changed);
            }
        }
    }

    private static void addFromObject(ObjectNode object, List<JsonNode> candidates) {
        for (String member : object.propertyStream().map(Map.Entry::getKey).toList()) {
            var shorter = object.deepCopy();
            shorter.remove(member);
            candidates.add(shorter);
            for (JsonNode value : candidates(object.path(member))) {
                var changed = object.deepCopy();
                changed.set(member, value);
                candidates.add(changed);
            }
        }
    }

    private static void addFromText(String text, List<JsonNode> candidates) {
        for (int length = text.length(); length > 0; length /= 2) {
            for (int from = 0; from + length <= text.length(); from += length) {
                candidates.add(TextNode.valueOf(text.substring(0, from) + text.substring(from + length)));
            }
        }
    }
}
