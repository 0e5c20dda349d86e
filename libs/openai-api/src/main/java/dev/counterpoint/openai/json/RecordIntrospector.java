package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import org.jspecify.annotations.Nullable;

/// Derives the rule for a member from the type of its record component: a member is required and not null unless
/// the component is `@Nullable`, and [Others] receives all members that no other component names.
class RecordIntrospector extends JacksonAnnotationIntrospector {
    @Override
    public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
        return isRequired(member) ? Boolean.TRUE : super.hasRequiredMarker(member);
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated annotated) {
        return isRequired(annotated)
                ? JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL)
                : super.findSetterInfo(annotated);
    }

    /// A name that no member of an object can be mistaken for: [KeptMembers] fills the component.
    @Override
    public @Nullable PropertyName findNameForDeserialization(Annotated annotated) {
        return isOthers(annotated) ? KeptMembers.NAME : super.findNameForDeserialization(annotated);
    }

    @Override
    public @Nullable Boolean hasAnyGetter(Annotated annotated) {
        return isOthers(annotated) ? Boolean.TRUE : super.hasAnyGetter(annotated);
    }

    static boolean isOthers(Annotated annotated) {
        return annotated.getRawType() == Others.class;
    }

    private static boolean isRequired(Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)
                || isOthers(parameter)
                || parameter.hasAnnotation(JsonAnySetter.class)
                || parameter.hasAnnotation(JsonUnwrapped.class)) {
            return false;
        }
        var components = parameter.getDeclaringClass().getRecordComponents();
        return components != null
                && components.length == parameter.getOwner().getParameterCount()
                && !components[parameter.getIndex()].getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
