package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.regex.WorkLimit;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The documents that a schema may lead to, and where its references lead.
final class SchemaDocuments {
    private static final String START = "schema:///";
    private static final Set<String> SCHEMAS = Set.of(
            "additionalItems",
            "additionalProperties",
            "contains",
            "contentSchema",
            "else",
            "if",
            "items",
            "not",
            "propertyNames",
            "then",
            "unevaluatedItems",
            "unevaluatedProperties",
            "allOf",
            "anyOf",
            "oneOf",
            "prefixItems");
    private static final Set<String> SCHEMA_MAPS =
            Set.of("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties");

    private final Map<String, JsonNode> known;
    private final Map<String, SchemaResource> resources = new HashMap<>();
    private final Set<String> loaded = new HashSet<>();
    private final List<Place> references = new ArrayList<>();

    SchemaDocuments(Map<String, JsonNode> known) {
        this.known = known;
    }

    /// The start of the schema to compile.
    Place start(JsonNode schema) {
        var resource = load(START, schema);
        var first = resource.at(schema);
        return new Place(schema, first, "", DynamicScope.NONE.entering(first));
    }

    private SchemaResource load(String uri, JsonNode schema) {
        loaded.add(uri);
        var document = new SchemaResource(uri, schema, null);
        resources.putIfAbsent(uri, document);
        scan(schema, document);
        return document;
    }

    /// The references that lead nowhere, as the schema writes them.
    List<String> unresolved() {
        var found = new ArrayList<String>();
        for (var from : references) {
            try {
                target(from, "$ref");
            } catch (SchemaRefusedException _) {
                found.add(from.get("$ref").asText());
            }
        }
        return found;
    }

    private record Inside(JsonNode node, SchemaResource resource) {}

    /// Finds the identifiers and anchors of a document.
    private void scan(JsonNode schema, SchemaResource document) {
        var toDo = new ArrayDeque<Inside>();
        toDo.add(new Inside(schema, document));
        while (!toDo.isEmpty()) {
            var next = toDo.remove();
            WorkLimit.spend(1);
            if (next.node.isObject()) {
                var resource = identified(next);
                if (next.node.has("$ref")) {
                    references.add(new Place(next.node, resource, "", DynamicScope.NONE));
                }
                for (var field : next.node.properties()) {
                    if (SCHEMAS.contains(field.getKey()) && !field.getValue().isArray()) {
                        toDo.add(new Inside(field.getValue(), resource));
                    } else if (SCHEMAS.contains(field.getKey()) || SCHEMA_MAPS.contains(field.getKey())) {
                        field.getValue().forEach(one -> toDo.add(new Inside(one, resource)));
                    }
                }
            }
        }
    }

    private SchemaResource identified(Inside inside) {
        var node = inside.node;
        var resource = inside.resource;
        boolean hidden = resource.refHidesSiblings && node.has("$ref") && node != resource.document.root;
        var id = node.path(node.path("$id").isTextual() ? "$id" : "id").asText("");
        boolean olderId = node.has("$id")
                || resource.refHidesSiblings
                || resource.document.root.path("$schema").isMissingNode();
        if (!hidden && olderId && !id.isEmpty()) {
            resource = named(id, inside);
        }
        if (node.path("$anchor").isTextual()) {
            resource.addAnchor(node.path("$anchor").textValue(), node);
        }
        if (node.path("$dynamicAnchor").isTextual()) {
            resource.addDynamicAnchor(node.path("$dynamicAnchor").textValue(), node);
        }
        if (node.path("$recursiveAnchor").asBoolean(false)) {
            resource.addDynamicAnchor(SchemaResource.RECURSIVE, node);
        }
        return resource;
    }

    private SchemaResource named(String id, Inside inside) {
        int fragment = id.indexOf('#');
        if (fragment >= 0 && fragment < id.length() - 1) {
            inside.resource.addAnchor(id.substring(fragment + 1), inside.node);
        }
        if (fragment == 0) {
            return inside.resource;
        }
        var uri = resolved(inside.resource.uri, fragment < 0 ? id : id.substring(0, fragment));
        if (inside.node == inside.resource.document.root) {
            inside.resource.uri = uri;
            resources.putIfAbsent(uri, inside.resource);
            return inside.resource;
        }
        var resource = new SchemaResource(uri, inside.node, inside.resource.document);
        resources.putIfAbsent(uri, resource);
        return resource;
    }

    private static String resolved(String base, String reference) {
        try {
            var uri = URI.create(reference);
            return uri.isAbsolute() ? reference : URI.create(base).resolve(uri).toString();
        } catch (IllegalArgumentException _) {
            return reference;
        }
    }

    /// Where `$ref` leads.
    Place target(Place from, String keyword) {
        var reference = from.get(keyword);
        if (!reference.isTextual()) {
            throw from.invalid(keyword, "a URI");
        }
        var text = reference.textValue();
        int hash = text.indexOf('#');
        var uri = hash < 0 ? text : text.substring(0, hash);
        var resource = uri.isEmpty() ? from.resource() : resource(resolved(from.resource().uri, uri));
        if (resource == null) {
            throw from.refused(keyword, "leads to a document that is not known here.");
        }
        var target = inside(resource, hash < 0 ? "" : text.substring(hash + 1), from);
        if (target == null) {
            throw from.refused(keyword, "leads to nothing: there is no such place in the schema.");
        }
        return target;
    }

    private @Nullable SchemaResource resource(String uri) {
        var resource = resources.get(uri);
        var document = known.get(uri);
        if (resource == null && document != null && !loaded.contains(uri)) {
            resource = load(uri, document);
        }
        return resource;
    }

    private @Nullable Place inside(SchemaResource resource, String fragment, Place from) {
        if (!fragment.isEmpty() && !fragment.startsWith("/")) {
            var anchor = resource.anchor(fragment);
            return anchor == null ? null : place(anchor, resource, "#" + fragment, from);
        }
        var found = pointed(resource, fragment, from);
        return found == null && resource.document != resource ? pointed(resource.document, fragment, from) : found;
    }

    private @Nullable Place pointed(SchemaResource resource, String pointer, Place from) {
        var node = resource.root;
        var inner = resource;
        for (var step : pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1)) {
            var name = decoded(step);
            var next = node.isArray() ? node.path(index(name)) : node.path(name);
            if (next.isMissingNode()) {
                return null;
            }
            node = next;
            inner = inner.at(node);
        }
        return place(node, inner, pointer, from);
    }

    private static Place place(JsonNode node, SchemaResource resource, String path, Place from) {
        return new Place(node, resource, path, from.scope().entering(resource));
    }

    private static int index(String text) {
        return text.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(text) : -1;
    }

    private static String decoded(String step) {
        var text = step;
        try {
            text = URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            // A percent sign that starts no escape stands for itself.
        }
        return text.replace("~1", "/").replace("~0", "~");
    }

    /// Where `$dynamicRef` and `$recursiveRef` lead: like `$ref`, but to a dynamic anchor through the outermost
    /// resource that has one of that name.
    Place dynamicTarget(Place from, String keyword) {
        var first = target(from, keyword);
        var text = from.get(keyword).textValue();
        var anchor = keyword.equals("$recursiveRef") ? SchemaResource.RECURSIVE : text.substring(text.indexOf('#') + 1);
        if (first.resource().dynamicAnchor(anchor) != first.node()) {
            return first;
        }
        for (var resource : first.scope().entered()) {
            var node = resource.dynamicAnchor(anchor);
            if (node != null) {
                return place(node, resource, "#" + anchor, first);
            }
        }
        return first;
    }
}
