package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Schemas without parts of which many say the same: these are read once.
final class SchemaLeaves {
    private static final int FIELDS_MAX = 12;
    private static final int VALUES_MAX = 20;
    private static final Set<String> ANNOTATIONS = Set.of(
            "$comment",
            "default",
            "deprecated",
            "description",
            "example",
            "examples",
            "markdownDescription",
            "readOnly",
            "title",
            "writeOnly");

    private final Map<Map<String, JsonNode>, Place> first = new HashMap<>();

    /// The first place with an equivalent schema.
    Place canonical(Place place) {
        if (!place.node().isObject() || place.node().size() > FIELDS_MAX) {
            return place;
        }
        var keywords = new HashMap<String, JsonNode>();
        for (var field : place.node().properties()) {
            if (!ANNOTATIONS.contains(field.getKey())) {
                if (!isPlain(field.getKey(), field.getValue())) {
                    return place;
                }
                keywords.put(field.getKey(), field.getValue());
            }
        }
        return first.computeIfAbsent(keywords, _ -> place);
    }

    private static boolean isPlain(String keyword, JsonNode value) {
        if (keyword.startsWith("$") || value.isObject() || value.size() > VALUES_MAX) {
            return false;
        }
        for (var one : value) {
            if (one.isContainerNode()) {
                return false;
            }
        }
        return true;
    }
}
