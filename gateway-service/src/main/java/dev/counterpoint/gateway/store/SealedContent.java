package dev.counterpoint.gateway.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Finds and takes away the sealed reasoning in what a row holds: the `encrypted_content` of reasoning items.
public final class SealedContent {
    private static final String MEMBER = "encrypted_content";

    private SealedContent() {}

    /// True when the JSON may hold sealed reasoning; always true when it does.
    public static boolean mayBeIn(@Nullable String json) {
        return json != null && json.contains('"' + MEMBER + '"');
    }

    /// The same without it.
    static @Nullable String withoutIfAny(@Nullable String json) {
        return json == null ? null : without(json);
    }

    /// The same without it.
    ///
    /// @param json a list of items, or a row's object with `input` or `output`
    public static String without(String json) {
        if (!mayBeIn(json)) {
            return json;
        }
        var tree = WireJson.parse(json.getBytes(StandardCharsets.UTF_8));
        strip(tree); // a list of items
        strip(tree.path("input"));
        strip(tree.path("output"));
        return tree.toString();
    }

    /// As [#without(String)], of a response, of an event with one or with an item, of an item, or of a page of items.
    ///
    /// @param tree changed in place
    /// @return the same
    public static JsonNode without(JsonNode tree) {
        strip(tree.path("output"));
        strip(tree.path("response").path("output"));
        strip(tree.path("data"));
        stripItem(tree.path("item"));
        stripItem(tree);
        return tree;
    }

    private static void strip(JsonNode items) {
        if (!items.isArray()) {
            return;
        }
        items.forEach(SealedContent::stripItem);
    }

    private static void stripItem(JsonNode item) {
        if (item instanceof ObjectNode members && members.path("type").asText().equals("reasoning")) {
            members.remove(MEMBER);
        }
    }
}
