package dev.counterpoint.openai;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A record component somewhere below a value, and where its JSON member stands.
record Member(String path, JsonPointer pointer, boolean optional, boolean missing) {

    /// All of them, depth first.
    static Stream<Member> of(Object value, JsonNode json) {
        return below(value, json, "", JsonPointer.empty());
    }

    JsonNode removedFrom(JsonNode json) {
        var copy = json.deepCopy();
        ((ObjectNode) copy.at(pointer.head())).remove(pointer.last().getMatchingProperty());
        return copy;
    }

    private static Stream<Member> below(@Nullable Object value, JsonNode json, String path, JsonPointer pointer) {
        if (value instanceof List<?> list) {
            return IntStream.range(0, list.size())
                    .boxed()
                    .flatMap(i -> below(list.get(i), json.path(i), path + "[" + i + "]", pointer.appendIndex(i)));
        }
        if (value instanceof Record record) {
            return Stream.of(record.getClass().getRecordComponents())
                    .filter(component -> !component.getAccessor().isAnnotationPresent(JsonAnySetter.class))
                    .flatMap(component -> at(component, record, new Place(json, path, pointer)));
        }
        return Stream.empty();
    }

    private record Place(JsonNode json, String path, JsonPointer pointer) {}

    private static Stream<Member> at(RecordComponent component, Record owner, Place place) {
        var value = valueOf(component, owner);
        if (component.getAccessor().isAnnotationPresent(JsonValue.class)
                || component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
            return below(value, place.json, place.path, place.pointer);
        }
        var name = SnakeCaseStrategy.INSTANCE.translate(component.getName());
        var path = place.path.isEmpty() ? name : place.path + "." + name;
        var pointer = place.pointer.appendProperty(name);
        var optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        var member = new Member(path, pointer, optional, !place.json.hasNonNull(name));
        return Stream.concat(Stream.of(member), below(value, place.json.path(name), path, pointer));
    }

    private static @Nullable Object valueOf(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
