package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Reads JSON Schema that was made from TypeScript types, in the words of an OpenAPI document. What is `unknown` there
/// is
/// an object.
final class NovemberTypes {
    /// Marks numbers that are generated as whole ones, which any number may be.
    static final String WHOLE = "x-whole";

    private NovemberTypes() {}

    static JsonNode read(Path file) {
        try {
            var json = new ObjectMapper();
            var text = Files.readString(file).replace("#/$defs/", "#/components/schemas/");
            var root = json.createObjectNode();
            var schemas = (ObjectNode) json.readTree(text).path("$defs");
            root.putObject("components").set("schemas", schemas);
            schemas.set("CreateResponse", schemas.at("/Contract/properties/createResponse"));
            schemas.set("CreateChatCompletionRequest", schemas.at("/Contract/properties/createChat"));
            rewrite(schemas);
            ((ObjectNode) schemas.at("/CompoundFilter/properties/filters/items/anyOf/1"))
                    .removeAll()
                    .put("$ref", "#/components/schemas/CompoundFilter");
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void rewrite(JsonNode node) {
        node.forEach(NovemberTypes::rewrite);
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        Stream.concat(
                        Stream.of(schema.path("items")),
                        Stream.concat(
                                schema.path("properties").valueStream(),
                                schema.path("anyOf").valueStream()))
                .filter(unknown -> unknown.isObject() && unknown.isEmpty())
                .forEach(unknown -> ((ObjectNode) unknown).put("type", "object"));
        if (schema.path("const").isValueNode()) {
            schema.putArray("enum").add(schema.remove("const"));
        }
        if (schema.path("type") instanceof ArrayNode types) {
            schema.remove("type");
            if (!schema.has("enum")) {
                var choice = schema.putArray("anyOf");
                types.forEach(type -> choice.add(number(schema.objectNode().set("type", type))));
            }
        } else if (schema.path("type").isTextual()) {
            number(schema);
        }
    }

    private static ObjectNode number(ObjectNode schema) {
        return schema.path("type").asText().equals("number") ? schema.put(WHOLE, true) : schema;
    }
}
