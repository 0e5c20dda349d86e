package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.SettableAnyProperty;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.module.SimpleModule;
import org.jspecify.annotations.Nullable;

/// Fills the component of a record that is its [Others]. What Jackson 2 has for this (`@JsonAnySetter`) takes no type
/// of ours, only maps that anybody can change.
final class KeptMembers extends SimpleModule {
    /// Jackson's name for the component. A member that a caller sends under this name is dropped.
    static final PropertyName NAME = PropertyName.construct("\0others");

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addBeanDeserializerModifier(new Fillers());
    }

    private static final class Fillers extends BeanDeserializerModifier {
        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription description, BeanDeserializerBuilder builder) {
            var others = builder.findProperty(NAME);
            if (others != null) {
                builder.setAnySetter(new Filler(others, config.constructType(JsonNode.class), null));
            }
            return builder;
        }
    }

    private static final class Filler extends SettableAnyProperty {
        private final transient SettableBeanProperty component;

        Filler(SettableBeanProperty component, JavaType value, @Nullable JsonDeserializer<Object> reader) {
            super(component, component.getMember(), value, null, reader, null);
            this.component = component;
        }

        @Override
        public SettableAnyProperty withValueDeserializer(JsonDeserializer<Object> reader) {
            return new Filler(component, getType(), reader);
        }

        @Override
        public int getParameterIndex() {
            return component.getCreatorIndex();
        }

        @Override
        public Object createParameterObject() {
            return new Others();
        }

        @Override
        protected void _set(Object others, Object name, Object value) {
            ((Others) others).keep((String) name, (JsonNode) value);
        }
    }
}
