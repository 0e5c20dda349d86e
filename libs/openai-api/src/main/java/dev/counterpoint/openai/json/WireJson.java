package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The wire's JSON: snake case, null means absent, unknown members pass, a wrong type is never coerced.
///
/// Safe to share between threads.
public final class WireJson {
    private static final JsonMapper MAPPER = build();
    private static final JsonMapper NAMED =
            MAPPER.rebuild().annotationIntrospector(new NamedMembers()).build();

    private WireJson() {}

    /// The mapper behind everything here, for frameworks that want one. Reading with it throws Jackson's exceptions.
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /// Reads a request body.
    ///
    /// @throws WireException when the body is not JSON or breaks a rule; it names the member
    public static <T> T read(byte[] body, Class<T> type) {
        return read(parse(body), type);
    }

    /// Reads a body that is JSON already.
    ///
    /// @throws WireException when it breaks a rule; it names the member
    public static <T> T read(JsonNode body, Class<T> type) {
        try {
            var value = MAPPER.treeToValue(body, type);
            if (value == null) {
                throw Refusal.of(RuleViolation.wrongType(Shape.OBJECT.words()), body);
            }
            return value;
        } catch (JsonMappingException e) {
            throw Refusal.of(e, body);
        } catch (JsonProcessingException e) {
            throw Refusal.notJson(e);
        }
    }

    /// Reads any JSON; a member named twice in one object is refused, because two readers might take different ones.
    /// Half a surrogate pair becomes U+FFFD.
    ///
    /// @throws WireException when the bytes are not one JSON value
    public static JsonNode parse(byte[] body) {
        try (var parser = new WholeCharacters(MAPPER.createParser(body))) {
            JsonNode tree = MAPPER.readTree(parser);
            if (tree == null) {
                throw new WireException(null, null, "The request has no body; expected a JSON object.");
            }
            return tree;
        } catch (JsonMappingException e) {
            throw new WireException(null, null, "The JSON body names a member twice or holds more than one value.");
        } catch (JsonProcessingException e) {
            throw Refusal.notJson(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes a value of this library as JSON without line breaks.
    public static String write(Object value) {
        return write(MAPPER, value);
    }

    /// As [#write], without the [Others] of any record: for places that must not hold unchecked members.
    public static String writeNamed(Object value) {
        return write(NAMED, value);
    }

    private static String write(JsonMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not a wire type: " + value.getClass().getName(), e);
        }
    }

    /// Writes a value of this library as UTF-8 JSON without line breaks.
    public static byte[] writeBytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not a wire type: " + value.getClass().getName(), e);
        }
    }

    /// Writes a value between two texts into one array, which is all that it allocates beside what Jackson needs.
    static byte[] writeBetween(byte[] before, Object value, byte[] after) {
        var recycler = MAPPER.getFactory()._getBufferRecycler();
        try (var bytes = new ByteArrayBuilder(recycler)) {
            bytes.write(before);
            MAPPER.writeValue(bytes, value);
            bytes.write(after);
            return bytes.getClearAndRelease();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "not a wire type: " + value.getClass().getName(), e);
        } finally {
            recycler.releaseToPool();
        }
    }

    /// A value of this library as a JSON tree.
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /// As [#tree], without the [Others] of any record.
    public static JsonNode namedTree(Object value) {
        return NAMED.valueToTree(value);
    }

    private static JsonMapper build() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.USE_DEFAULTS))
                .annotationIntrospector(new RecordIntrospector())
                .addModule(new SealedFamilies())
                .addModule(new KeptMembers())
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                        DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                .withCoercionConfig(
                        LogicalType.Textual,
                        text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .build();
    }
}
