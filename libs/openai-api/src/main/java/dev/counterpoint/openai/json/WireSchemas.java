package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Writes wire types as the JSON Schemas (2020-12) of an OpenAPI document. It uses the same source as the reader:
/// the components of records and the leaves of sealed families. So the document matches the code. Not thread-safe.
public final class WireSchemas {
    private static final String ROOT = "dev.counterpoint.openai.";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Map<String, ObjectNode> schemas = new TreeMap<>();
    private final Deque<Class<?>> due = new ArrayDeque<>();
    private final Set<Class<?>> named = new HashSet<>();

    /// A reference to the schema of a type, which [#components] then has.
    public ObjectNode reference(Class<?> type) {
        if (named.add(type)) {
            due.add(type);
        }
        return JSON.objectNode().put("$ref", "#/components/schemas/" + name(type));
    }

    /// The schemas of all types that were referred to, and of those that these refer to.
    public ObjectNode components() {
        for (var type = due.poll(); type != null; type = due.poll()) {
            schemas.put(name(type), schema(type));
        }
        var all = JSON.objectNode();
        schemas.forEach(all::set);
        return all;
    }

    /// Such as `responses.InputItem.Message`.
    private static String name(Class<?> type) {
        var name = type.getName().replace('$', '.');
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : type.getSimpleName();
    }

    private ObjectNode schema(Class<?> type) {
        if (type.isEnum()) {
            var schema = JSON.objectNode().put("type", "string");
            var values = schema.putArray("enum");
            for (var constant : type.getEnumConstants()) {
                values.add(WireJson.tree(constant));
            }
            return schema;
        }
        if (type.isSealed()) {
            var schema = JSON.objectNode();
            var choices = schema.putArray("anyOf");
            new LinkedHashSet<>(Union.leaves(type).toList()).forEach(leaf -> choices.add(reference(leaf)));
            return schema;
        }
        var bare = Union.bare(type);
        return bare == null ? object(type) : of(bare.getGenericType());
    }

    private ObjectNode object(Class<?> type) {
        var schema = JSON.objectNode().put("type", "object");
        var properties = JSON.objectNode();
        var required = new LinkedHashSet<String>();
        tag(type, properties, required);
        members(type, properties, required);
        constants(type, properties, required);
        schema.set("properties", properties);
        if (!required.isEmpty()) {
            required.forEach(schema.putArray("required")::add);
        }
        return schema;
    }

    private static void tag(Class<?> type, ObjectNode properties, Set<String> required) {
        var info = Union.typeInfo(type);
        var names = Union.names(type);
        if (info != null && !names.isEmpty()) {
            var values = JSON.objectNode().put("type", "string");
            names.forEach(values.putArray("enum")::add);
            properties.set(info.property(), values);
            if (!type.isAnnotationPresent(Untagged.class)) {
                required.add(info.property());
            }
        }
    }

    private void members(Class<?> type, ObjectNode properties, Set<String> required) {
        for (var component : type.getRecordComponents()) {
            var name = SnakeCaseStrategy.INSTANCE.translate(component.getName());
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                members(component.getType(), properties, required);
            } else if (!isRest(component) && !properties.has(name)) {
                boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
                var schema = of(component.getGenericType());
                properties.set(name, nullable ? orNull(schema) : schema);
                if (!nullable) {
                    required.add(name);
                }
            }
        }
    }

    /// Members that are the same in every value, such as `object`.
    private static void constants(Class<?> type, ObjectNode properties, Set<String> required) {
        for (var method : type.getDeclaredMethods()) {
            var name = SnakeCaseStrategy.INSTANCE.translate(method.getName());
            if (method.isAnnotationPresent(JsonProperty.class) && !properties.has(name)) {
                properties.set(name, JSON.objectNode().put("type", "string"));
                required.add(name);
            }
        }
    }

    /// Members that no component is named for are allowed anyway.
    private static boolean isRest(RecordComponent component) {
        return component.getType() == Others.class || component.getAccessor().isAnnotationPresent(JsonAnyGetter.class);
    }

    private static ObjectNode orNull(ObjectNode schema) {
        var either = JSON.objectNode();
        either.putArray("anyOf").add(schema).add(JSON.objectNode().put("type", "null"));
        return either;
    }

    private ObjectNode of(Type type) {
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            var arguments = generic.getActualTypeArguments();
            var schema = JSON.objectNode();
            if (Map.class.isAssignableFrom(raw)) {
                schema.put("type", "object").set("additionalProperties", of(arguments[1]));
            } else {
                schema.put("type", "array").set("items", of(arguments[0]));
            }
            return schema;
        }
        return type instanceof Class<?> plain ? of(plain) : JSON.objectNode();
    }

    private ObjectNode of(Class<?> type) {
        if (type.isRecord() || type.isSealed() || type.isEnum()) {
            return reference(type);
        }
        if (JsonNode.class.isAssignableFrom(type) && type != ObjectNode.class || type == Object.class) {
            return JSON.objectNode(); // anything
        }
        var word = switch (Shape.of(type)) {
            case STRING -> "string";
            case INTEGER -> "integer";
            case NUMBER -> "number";
            case BOOLEAN -> "boolean";
            case ARRAY -> "array";
            case OBJECT -> "object";
        };
        return JSON.objectNode().put("type", word);
    }
}
