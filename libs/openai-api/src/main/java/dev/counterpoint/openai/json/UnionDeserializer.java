package dev.counterpoint.openai.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;

/// Reads a member of a sealed family, as [Union] says. Jackson 2 knows neither `permits` nor unions by JSON type.
final class UnionDeserializer extends StdDeserializer<Object> {
    private final transient Union union;

    UnionDeserializer(Class<?> root) {
        super(root);
        this.union = Union.of(root);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode node = context.readTree(parser);
        var leaf = union.leafFor(node);
        var bare = Union.bare(leaf);
        if (union.tag() != null && !Union.saysItsTag(leaf)) {
            ((ObjectNode) node).remove(union.tag()); // so that it is none of the members which the leaf does not know
        }
        return bare == null
                ? read(node, context.constructType(leaf), context)
                : wrap(leaf, bare, read(node, context.getTypeFactory().constructType(bare.getGenericType()), context));
    }

    /// The tag is ours to read, not Jackson's.
    @Override
    public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type)
            throws IOException {
        return deserialize(parser, context);
    }

    private static Object read(JsonNode node, JavaType type, DeserializationContext context) throws IOException {
        try (var parser = node.traverse(context.getParser().getCodec())) {
            parser.nextToken();
            return context.findContextualValueDeserializer(type, null).deserialize(parser, context);
        }
    }

    private static Object wrap(Class<?> leaf, RecordComponent bare, Object value) {
        try {
            return leaf.getDeclaredConstructor(bare.getType()).newInstance(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "a leaf of one component must be a public record that takes it: " + leaf, e);
        }
    }
}
