package dev.counterpoint.openai;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A record component somewhere below a value.
record Member(Place place, RecordComponent component) {
    /// Where a JSON value stands.
    ///
    /// @param path as a caller would write it
    /// @param elsewhere a family within the first value, which has goldens of its own
    record Place(JsonNode json, String path, JsonPointer pointer, boolean elsewhere) {
        Place member(String name) {
            return new Place(
                    json.path(name),
                    path.isEmpty() ? name : path + "." + name,
                    pointer.appendProperty(name),
                    elsewhere);
        }

        Place element(int index) {
            return new Place(json.path(index), path + "[" + index + "]", pointer.appendIndex(index), elsewhere);
        }

        Place of(Record record) {
            boolean leaf = Stream.of(record.getClass().getInterfaces()).anyMatch(Class::isSealed);
            return new Place(json, path, pointer, elsewhere || (leaf && !pointer.matches()));
        }
    }

    /// All of them, depth first.
    static Stream<Member> of(Object value, JsonNode json) {
        return below(value, new Place(json, "", JsonPointer.empty(), false));
    }

    String path() {
        return place.path();
    }

    JsonPointer pointer() {
        return place.pointer();
    }

    boolean missing() {
        return place.json().isMissingNode() || place.json().isNull();
    }

    boolean optional() {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /// What is written where the member is left out, or empty for nothing.
    String fallback() {
        var property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null ? "" : property.defaultValue();
    }

    /// The record that has it.
    Class<?> owner() {
        return component.getDeclaringRecord();
    }

    /// Whether this stands for the members that the record does not know.
    boolean others() {
        return component.getType() == Others.class;
    }

    JsonNode removedFrom(JsonNode json) {
        var copy = json.deepCopy();
        ((ObjectNode) copy.at(pointer().head())).remove(pointer().last().getMatchingProperty());
        return copy;
    }

    private static Stream<Member> below(@Nullable Object value, Place place) {
        if (value instanceof List<?> list) {
            return IntStream.range(0, list.size()).boxed().flatMap(i -> below(list.get(i), place.element(i)));
        }
        if (value instanceof Record record) {
            return Stream.of(record.getClass().getRecordComponents())
                    .filter(component -> !component.getAccessor().isAnnotationPresent(JsonAnySetter.class))
                    .flatMap(component -> at(component, record, place.of(record)));
        }
        return Stream.empty();
    }

    private static Stream<Member> at(RecordComponent component, Record owner, Place place) {
        var value = valueOf(component, owner);
        if (component.getAccessor().isAnnotationPresent(JsonValue.class)
                || component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
            return below(value, place);
        }
        var member = place.member(SnakeCaseStrategy.INSTANCE.translate(component.getName()));
        return Stream.concat(Stream.of(new Member(member, component)), below(value, member));
    }

    private static @Nullable Object valueOf(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
