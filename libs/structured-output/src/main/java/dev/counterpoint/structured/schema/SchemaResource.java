package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A schema with a URI of its own, and the anchors inside it. Equal only to itself.
final class SchemaResource {
    /// The name under which `$recursiveAnchor` counts as a dynamic anchor.
    static final String RECURSIVE = "";

    String uri;
    final JsonNode root;
    final SchemaResource document;
    /// Up to draft-07 a `$ref` hides its siblings.
    final boolean refHidesSiblings;

    /// Of a whole document: its resources by their roots.
    private final Map<JsonNode, SchemaResource> roots;
    private final Map<String, JsonNode> anchors = new HashMap<>();
    private final Map<String, JsonNode> dynamicAnchors = new HashMap<>();

    SchemaResource(String uri, JsonNode root, @Nullable SchemaResource document) {
        this.uri = uri;
        this.root = root;
        this.document = document == null ? this : document;
        var dialect = root.path("$schema").asText("");
        refHidesSiblings =
                dialect.isEmpty() && document != null ? document.refHidesSiblings : dialect.contains("/draft-0");
        roots = document == null ? new IdentityHashMap<>() : document.roots;
        roots.put(root, this);
    }

    /// The resource that a schema inside this one belongs to.
    SchemaResource at(JsonNode node) {
        return roots.getOrDefault(node, this);
    }

    void addAnchor(String name, JsonNode node) {
        anchors.putIfAbsent(name, node);
    }

    void addDynamicAnchor(String name, JsonNode node) {
        anchors.putIfAbsent(name, node);
        dynamicAnchors.putIfAbsent(name, node);
    }

    /// The names of its dynamic anchors.
    Set<String> dynamicNames() {
        return dynamicAnchors.keySet();
    }

    @Nullable
    JsonNode anchor(String name) {
        return anchors.get(name);
    }

    @Nullable
    JsonNode dynamicAnchor(String name) {
        return dynamicAnchors.get(name);
    }
}
