package dev.counterpoint.openai.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.ResolvableSerializer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Teaches Jackson 2 sealed interfaces: reading by [Union], writing leaves that say themselves which they are.
final class SealedFamilies extends SimpleModule {
    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addDeserializers(new Readers());
        context.addBeanSerializerModifier(new Writers());
    }

    private static final class Readers extends Deserializers.Base {
        @Override
        public @Nullable JsonDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription description) {
            var raw = type.getRawClass();
            return raw.isInterface() && raw.isSealed() ? new UnionDeserializer(raw) : null;
        }
    }

    private static final class Writers extends BeanSerializerModifier {
        @Override
        public JsonSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription description, JsonSerializer<?> serializer) {
            return Union.saysItsTag(description.getBeanClass()) ? new Bare(serializer) : serializer;
        }
    }

    /// Leaves the tag away that the family's root asks for: a string has no place for it, a raw object has it.
    private static final class Bare extends JsonSerializer<Object>
            implements ContextualSerializer, ResolvableSerializer {
        private final JsonSerializer<Object> serializer;

        @SuppressWarnings("unchecked")
        Bare(JsonSerializer<?> serializer) {
            this.serializer = (JsonSerializer<Object>) serializer;
        }

        @Override
        public void resolve(SerializerProvider provider) throws JsonMappingException {
            if (serializer instanceof ResolvableSerializer unresolved) {
                unresolved.resolve(provider);
            }
        }

        @Override
        public JsonSerializer<?> createContextual(SerializerProvider provider, @Nullable BeanProperty property)
                throws JsonMappingException {
            return new Bare(provider.handleSecondaryContextualization(serializer, property));
        }

        @Override
        public void serialize(Object value, JsonGenerator json, SerializerProvider provider) throws IOException {
            serializer.serialize(value, json, provider);
        }

        @Override
        public void serializeWithType(
                Object value, JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
            serialize(value, json, provider);
        }
    }
}
