package dev.counterpoint.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.Set;

/// Rules of every body, checked on the bare JSON: before objects are made of it, and before anything is looked up.
final class BodyRules {
    /// Of one request, items and their parts together. A conversation of one answer a minute needs a week for that.
    static final int ITEMS_MAX = 10_000;

    private static final List<String> LISTS = List.of("input", "messages", "items");
    private static final Set<String> NAMES = Set.of("conversation", "user", "safety_identifier");

    private BodyRules() {}

    /// @throws WireException that names the member
    static void check(JsonNode body) {
        LISTS.forEach(name -> count(name, body.path(name)));
        body.properties().forEach(member -> names(member.getKey(), member.getKey(), member.getValue()));
    }

    private static void count(String name, JsonNode list) {
        if (!list.isArray()) {
            return;
        }
        long items = list.size();
        for (var item : list) {
            for (var member : item) {
                items += member.isArray() ? member.size() : 0;
            }
        }
        if (items > ITEMS_MAX) {
            throw new WireException(
                    name,
                    "array_above_max_length",
                    "Invalid '%s': at most %d items and parts are taken in one request, but got %d."
                            .formatted(name, ITEMS_MAX, items));
        }
    }

    /// What things go by is looked up in columns of text, which cannot hold the character NUL, and a person's name
    /// with it could never be searched for. What is said can hold it.
    private static void names(String path, String name, JsonNode value) {
        if (value.isTextual()) {
            refuseNul(path, isName(name) ? value.textValue() : "");
        } else if (value.isObject()) {
            value.properties()
                    .forEach(member -> names(path + "." + member.getKey(), member.getKey(), member.getValue()));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                names(path + "[" + i + "]", "", value.get(i));
            }
        }
    }

    private static void refuseNul(String path, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new WireException(
                    path, "invalid_value", "Invalid value for '" + path + "': the character NUL cannot stand in it.");
        }
    }

    private static boolean isName(String member) {
        return member.equals("id") || member.endsWith("_id") || NAMES.contains(member);
    }
}
