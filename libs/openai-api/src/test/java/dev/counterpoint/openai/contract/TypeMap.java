package dev.counterpoint.openai.contract;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.openai.json.Leaves;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.contract.Contract;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lays the contract's schemas and our types side by side, from the bodies that travel on their own down to the last
/// member: which schema is which type, and where a schema meets none.
final class TypeMap {
    private final Contract contract;
    private final Set<String> seen = new HashSet<>();
    private final SortedMap<String, Set<Class<?>>> types = new TreeMap<>();
    private final SortedSet<String> gaps = new TreeSet<>();

    TypeMap(Contract contract, Map<String, Class<?>> bodies) {
        this.contract = contract;
        bodies.forEach((schema, type) -> {
            meet(schema, type);
            walk(Contract.pointer(schema), type, schema);
        });
        contract.entrances().stream()
                .filter(schema -> !types.containsKey(schema))
                .forEach(schema -> gaps.add(schema + " has no type"));
    }

    /// The types that values of a schema are read as, by the schema's name. Strings and numbers are types, too.
    SortedMap<String, Set<Class<?>>> types() {
        return types;
    }

    /// Where a schema has a value that no type of ours has a place for: `Schema.member`, and what is wrong there.
    SortedSet<String> gaps() {
        return gaps;
    }

    /// The schemas that have gaps of their own.
    Set<String> incomplete() {
        return gaps.stream().map(gap -> gap.split("[ .\\[{]", 2)[0]).collect(Collectors.toSet());
    }

    private void meet(String schema, Type type) {
        types.computeIfAbsent(schema, _ -> new HashSet<>()).add(raw(type));
    }

    private void walk(String pointer, Type type, String path) {
        if (!seen.add(pointer + " " + type.getTypeName())) {
            return;
        }
        var name = contract.reference(pointer);
        if (name != null) {
            meet(name, type);
            walk(Contract.pointer(name), type, name);
            return;
        }
        meetParts(pointer, type);
        var parts = contract.parts(pointer);
        if (parts.stream()
                .noneMatch(part -> contract.at(part).path("properties").isEmpty())) {
            object(pointer, type, path);
        } else {
            parts.forEach(part -> value(part, type, path));
        }
    }

    /// The schemas that this one is composed of have the same type, as far as it goes.
    private void meetParts(String pointer, Type type) {
        for (int i = 0; i < contract.at(pointer).path("allOf").size(); i++) {
            var name = contract.reference(pointer + "/allOf/" + i);
            if (name != null) {
                types.computeIfAbsent(name, _ -> new HashSet<>());
                meetParts(Contract.pointer(name), type);
            }
        }
    }

    private void value(String part, Type type, String path) {
        var schema = contract.at(part);
        for (var keyword : List.of("anyOf", "oneOf")) {
            for (int i = 0; i < schema.path(keyword).size(); i++) {
                walk(part + "/" + keyword + "/" + i, type, path);
            }
        }
        if (schema.has("anyOf")
                || schema.has("oneOf")
                || schema.path("type").asText().equals("null")) {
            return;
        }
        var raw = raw(type);
        if (isFamily(raw)) {
            leaf(part, Leaves.leafFor(raw, sample(schema)), path);
        } else if (raw.isRecord()) {
            leaf(part, raw, path);
        } else if (raw == List.class && schema.path("type").asText("array").equals("array")) {
            walk(part + "/items", argument(type, 0), path + "[]");
        } else if (raw == Map.class) {
            map(part, type, path);
        } else if (!scalar(schema, raw)) {
            gaps.add(path + " is no " + raw.getSimpleName());
        }
    }

    /// A value that is no object of members.
    private static JsonNode sample(JsonNode schema) {
        var json = JsonNodeFactory.instance;
        return switch (schema.path("type").asText("object")) {
            case "string" -> schema.has("enum") ? schema.at("/enum/0") : json.textNode("-");
            case "array" -> json.arrayNode();
            case "boolean" -> json.booleanNode(true);
            case "integer", "number" -> json.numberNode(1);
            default -> json.objectNode();
        };
    }

    private void leaf(String pointer, @Nullable Class<?> leaf, String path) {
        var bare = leaf == null ? null : Leaves.bare(leaf);
        if (bare == null) {
            gaps.add(path + (leaf == null ? " has no record" : " is no " + leaf.getSimpleName()));
        } else {
            walk(pointer, bare.getGenericType(), path);
        }
    }

    private void object(String pointer, Type type, String path) {
        var raw = raw(type);
        if (isFamily(raw)) {
            for (var sample : samples(contract.parts(pointer))) {
                var leaf = Leaves.leafFor(raw, sample);
                var another = leaf != null && Leaves.bare(leaf) != null;
                record(
                        pointer,
                        leaf,
                        another ? path : path + " " + sample.path("type").asText());
            }
        } else if (raw.isRecord()) {
            record(pointer, raw, path);
        } else {
            gaps.add(path + " is no " + raw.getSimpleName());
        }
    }

    private void record(String pointer, @Nullable Class<?> leaf, String path) {
        if (leaf != null && Leaves.bare(leaf) == null) {
            members(contract.parts(pointer), leaf, path);
        } else {
            leaf(pointer, leaf, path);
        }
    }

    private static boolean isFamily(Class<?> type) {
        return type.isInterface() && type.isSealed();
    }

    /// Objects that show which leaf of a family a schema is: one for each name that it may bear.
    private List<ObjectNode> samples(List<String> parts) {
        var plain = JsonNodeFactory.instance.objectNode();
        for (var part : parts) {
            contract.at(part).path("required").forEach(name -> plain.put(name.textValue(), true));
            contract.at(part)
                    .path("properties")
                    .properties()
                    .forEach(member ->
                            names(member.getValue()).limit(1).forEach(name -> plain.put(member.getKey(), name)));
        }
        var tagged = parts.stream()
                .flatMap(part -> names(contract.at(part).at("/properties/type")))
                .map(name -> plain.deepCopy().put("type", name))
                .toList();
        return tagged.isEmpty() ? List.of(plain) : tagged;
    }

    private static Stream<String> names(JsonNode schema) {
        var names = schema.has("enum") ? schema.path("enum") : schema.at("/anyOf/0/enum");
        return names.valueStream().filter(JsonNode::isTextual).map(JsonNode::textValue);
    }

    private void members(List<String> parts, Class<?> type, String path) {
        var components = new HashMap<String, RecordComponent>();
        var written = new HashSet<String>();
        collect(type, components, written);
        for (var part : parts) {
            contract.at(part).path("properties").fieldNames().forEachRemaining(name -> {
                var component = components.get(name);
                if (component != null) {
                    walk(part + "/properties/" + name, component.getGenericType(), path + "." + name);
                } else if (!written.contains(name)) {
                    gaps.add(path + "." + name + " has no component");
                }
            });
        }
    }

    /// The members of a record that are read, and those that are only written: its tag and its constants.
    private static void collect(Class<?> type, Map<String, RecordComponent> components, Set<String> written) {
        for (var component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                collect(component.getType(), components, written);
            } else {
                components.put(wireName(component), component);
            }
        }
        for (var method : type.getMethods()) {
            if (method.isAnnotationPresent(JsonProperty.class)) {
                written.add(SnakeCaseStrategy.INSTANCE.translate(method.getName()));
            }
        }
        Stream.concat(Stream.of(type), families(type))
                .map(family -> family.getAnnotation(JsonTypeInfo.class))
                .filter(info -> info != null)
                .forEach(info -> written.add(info.property()));
    }

    private static Stream<Class<?>> families(Class<?> type) {
        return Stream.of(type.getInterfaces()).flatMap(family -> Stream.concat(Stream.of(family), families(family)));
    }

    private static String wireName(RecordComponent component) {
        var name = component.getAccessor().getAnnotation(JsonProperty.class);
        return name == null || name.value().isEmpty()
                ? SnakeCaseStrategy.INSTANCE.translate(component.getName())
                : name.value();
    }

    private void map(String part, Type type, String path) {
        var values = contract.at(part).path("additionalProperties");
        if (contract.at(part).has("properties")) {
            gaps.add(path + " has members of its own and is a Map");
        } else if (!values.isEmpty()) {
            walk(part + "/additionalProperties", argument(type, 1), path + "{}");
        }
    }

    private static boolean scalar(JsonNode schema, Class<?> type) {
        if (type.isEnum()) {
            return schema.has("enum") && names(schema).allMatch(name -> reads(name, type));
        }
        var seconds = schema.path("format").asText().equals("unixtime");
        return switch (schema.path("type").asText("any")) {
            case "string" -> type == String.class;
            case "boolean" -> type == boolean.class || type == Boolean.class;
            case "integer" -> type == int.class || type == Integer.class || isLong(type);
            case "number" ->
                type == double.class || type == Double.class || type == BigDecimal.class || seconds && isLong(type);
            case "object" ->
                JsonNode.class.isAssignableFrom(type)
                        && schema.path("properties").isEmpty();
            case "any" -> type == JsonNode.class;
            default -> false;
        };
    }

    private static boolean isLong(Class<?> type) {
        return type == long.class || type == Long.class;
    }

    private static boolean reads(String name, Class<?> type) {
        try {
            return WireJson.read(TextNode.valueOf(name), type) != null;
        } catch (WireException refused) {
            return false;
        }
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            default -> throw new IllegalArgumentException("no wire type: " + type);
        };
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
