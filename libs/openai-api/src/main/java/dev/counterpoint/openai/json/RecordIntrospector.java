package dev.counterpoint.openai.json;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import org.jspecify.annotations.Nullable;

/// Makes the nullness of a record component the one statement of whether its member is required: a component that
/// is not `@Nullable` must be there and must not be null.
final class RecordIntrospector extends JacksonAnnotationIntrospector {
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

    private static boolean isRequired(Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)
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
