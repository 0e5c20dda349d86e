package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/// A schema where it stands. Two places are equal when they are the same schema, reached through the same
/// resources.
///
/// @param path JSON pointer for messages
/// @param scope decides where `$dynamicRef` leads
record Place(JsonNode node, SchemaResource resource, String path, DynamicScope scope) {
    /// The schema under a keyword.
    Place child(String... steps) {
        var at = node;
        var where = new StringBuilder(path);
        for (var step : steps) {
            at = at.isArray() ? at.get(Integer.parseInt(step)) : at.get(step);
            where.append('/').append(step.replace("~", "~0").replace("/", "~1"));
        }
        var inner = resource.at(at);
        return new Place(at, inner, where.toString(), scope.entering(inner));
    }

    boolean has(String keyword) {
        return node.has(keyword);
    }

    JsonNode get(String keyword) {
        return Objects.requireNonNull(node.get(keyword));
    }

    SchemaRefusedException refused(String keyword, String reason) {
        return new SchemaRefusedException(
                keyword, path, (path.isEmpty() ? "" : "At " + path + ": ") + "'" + keyword + "' " + reason);
    }

    SchemaRefusedException invalid(String keyword, String rule) {
        return refused(keyword, "is invalid: it must be " + rule + ".");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Place place
                && place.node == node
                && place.resource == resource
                && place.scope.equals(scope);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(node) + System.identityHashCode(resource);
    }
}
