package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a sealed interface says about its wire form: `permits` is the only list of its leaves.
///
/// A leaf is chosen by the JSON type of the value (a leaf whose only component carries `@JsonValue` stands for
/// that component's type, or for all members of that component's family), and among objects by the tag. An object
/// with a tag that no leaf bears is read as the leaf that keeps a raw `ObjectNode`, where the family has one.
record Union(
        @Nullable String tag,
        Map<String, Class<?>> tagged,
        Map<Untagged, Class<?>> untagged,
        Set<String> members,
        Map<Shape, Class<?>> shaped,
        @Nullable Class<?> keeper) {

    /// Every record below `type`, in the order of `permits`.
    static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(Union::leaves) : Stream.of(type);
    }

    static Union of(Class<?> root) {
        var info = typeInfo(root);
        var tagged = new LinkedHashMap<String, Class<?>>();
        var untagged = new LinkedHashMap<Untagged, Class<?>>();
        var shaped = new LinkedHashMap<Shape, Class<?>>();
        Class<?> keeper = null;
        for (var leaf : leaves(root).toList()) {
            var names = names(leaf);
            var bare = bare(leaf);
            if (bare != null && bare.getType() == ObjectNode.class) {
                keeper = leaf;
            } else if (bare != null && bare.getType().isSealed()) {
                var family = of(bare.getType());
                family.tagged.keySet().forEach(tag -> tagged.putIfAbsent(tag, leaf));
                keeper = family.keeper == null ? keeper : leaf;
            } else if (bare != null) {
                shaped.put(Shape.of(bare.getType()), leaf);
            } else if (!names.isEmpty()) {
                names.forEach(name -> tagged.put(name, leaf));
            } else {
                shaped.put(Shape.OBJECT, leaf);
            }
            var absent = leaf.getAnnotation(Untagged.class);
            if (absent != null) {
                untagged.put(absent, leaf);
            }
        }
        return new Union(info == null ? null : info.property(), tagged, untagged, members(root), shaped, keeper);
    }

    /// The wire names of what any leaf has.
    private static Set<String> members(Class<?> root) {
        return leaves(root)
                .flatMap(leaf -> Stream.of(leaf.getRecordComponents()))
                .map(component -> SnakeCaseStrategy.INSTANCE.translate(component.getName()))
                .collect(Collectors.toSet());
    }

    /// A leaf or a part of a family has the tag of the whole.
    static @Nullable JsonTypeInfo typeInfo(Class<?> type) {
        var own = type.getAnnotation(JsonTypeInfo.class);
        return own != null
                ? own
                : Stream.of(type.getInterfaces())
                        .map(Union::typeInfo)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /// The tags that lead to `leaf`.
    static List<String> names(Class<?> leaf) {
        var many = leaf.getAnnotation(WireNames.class);
        var one = leaf.getAnnotation(JsonTypeName.class);
        return many != null ? List.of(many.value()) : one != null ? List.of(one.value()) : List.of();
    }

    /// Whether `leaf` itself reads and writes the data that distinguishes it from the other leaves.
    static boolean saysItsTag(Class<?> leaf) {
        return leaf.isAnnotationPresent(WireNames.class) || bare(leaf) != null;
    }

    /// The component that stands for the whole record on the wire, or null.
    static @Nullable RecordComponent bare(Class<?> leaf) {
        var components = leaf.getRecordComponents();
        return components != null
                        && components.length == 1
                        && components[0].getAccessor().isAnnotationPresent(JsonValue.class)
                ? components[0]
                : null;
    }

    /// @throws RuleViolation when no leaf can be read from `node`
    Class<?> leafFor(JsonNode node) throws RuleViolation {
        for (var entry : shaped.entrySet()) {
            if (entry.getKey().fits(node)) {
                return entry.getValue();
            }
        }
        if (!node.isObject() || tag == null) {
            throw RuleViolation.wrongType(expected());
        }
        var name = node.path(tag);
        if (name.isMissingNode() || name.isNull()) {
            return leafWithoutTag(node, tag);
        }
        if (!name.isTextual()) {
            throw RuleViolation.wrongType(tag, Shape.STRING.words());
        }
        var leaf = tagged.getOrDefault(name.textValue(), keeper);
        if (leaf == null) {
            throw RuleViolation.wrongValue(tag, name.textValue(), tagged.keySet());
        }
        return leaf;
    }

    private Class<?> leafWithoutTag(JsonNode node, String missing) throws RuleViolation {
        for (var entry : untagged.entrySet()) {
            var sign = entry.getKey();
            if (node.hasNonNull(sign.member()) && !(sign.alone() && hasMore(node, sign.member()))) {
                return entry.getValue();
            }
        }
        throw RuleViolation.missing(missing);
    }

    private boolean hasMore(JsonNode node, String member) {
        return members.stream().anyMatch(other -> !other.equals(member) && node.has(other));
    }

    /// The words for the JSON types that the family has leaves for.
    String expected() {
        var object = tagged.isEmpty() && keeper == null ? List.<Shape>of() : List.of(Shape.OBJECT);
        return Stream.concat(shaped.keySet().stream(), object.stream())
                .distinct()
                .map(Shape::words)
                .collect(Collectors.joining(" or "));
    }
}
