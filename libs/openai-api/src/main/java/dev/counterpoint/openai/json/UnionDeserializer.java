package dev.counterpoint.openai.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Reads a member of a sealed family, as [Union] says. Jackson 2 knows neither `permits` nor unions by JSON type.
final class UnionDeserializer extends StdDeserializer<Object> {
    private final transient Union union;
    /// How to read each leaf; the annotations of a leaf are evaluated once.
    private final transient Map<Class<?>, Leaf> leaves = new ConcurrentHashMap<>();

    /// @param constructor of a leaf that is bare on the wire, or null
    /// @param untagged whether it must not see the tag
    private record Leaf(
            JsonDeserializer<Object> reader, @Nullable Constructor<?> constructor, boolean untagged) {}

    UnionDeserializer(Class<?> root) {
        super(root);
        this.union = Union.of(root);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode node = context.readTree(parser);
        var type = union.leafFor(node);
        var leaf = leaves.get(type);
        if (leaf == null) {
            leaf = leaf(type, context);
            leaves.put(type, leaf);
        }
        if (leaf.untagged) {
            ((ObjectNode) node).remove(union.tag()); // so that it is none of the members which the leaf does not know
        }
        var value = read(node, leaf.reader, context);
        return leaf.constructor == null ? value : wrap(leaf.constructor, value);
    }

    /// The tag is ours to read, not Jackson's.
    @Override
    public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type)
            throws IOException {
        return deserialize(parser, context);
    }

    private Leaf leaf(Class<?> type, DeserializationContext context) throws IOException {
        var bare = Union.bare(type);
        var read = bare == null
                ? context.constructType(type)
                : context.getTypeFactory().constructType(bare.getGenericType());
        try {
            return new Leaf(
                    context.findContextualValueDeserializer(read, null),
                    bare == null ? null : type.getDeclaredConstructor(bare.getType()),
                    union.tag() != null && !Union.saysItsTag(type));
        } catch (NoSuchMethodException e) {
            throw noRecord(type, e);
        }
    }

    private static Object read(JsonNode node, JsonDeserializer<Object> reader, DeserializationContext context)
            throws IOException {
        try (var parser = node.traverse(context.getParser().getCodec())) {
            parser.nextToken();
            return reader.deserialize(parser, context);
        }
    }

    private static Object wrap(Constructor<?> constructor, Object value) {
        try {
            return constructor.newInstance(value);
        } catch (ReflectiveOperationException e) {
            throw noRecord(constructor.getDeclaringClass(), e);
        }
    }

    private static IllegalStateException noRecord(Class<?> leaf, ReflectiveOperationException cause) {
        return new IllegalStateException(
                "a leaf of one component must be a public record that takes it: " + leaf, cause);
    }
}
