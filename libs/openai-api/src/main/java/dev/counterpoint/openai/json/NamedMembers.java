package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;

/// Leaves the [Others] of every record away.
final class NamedMembers extends RecordIntrospector {
    @Override
    public Boolean hasAnyGetter(Annotated annotated) {
        return !isOthers(annotated) && Boolean.TRUE.equals(super.hasAnyGetter(annotated));
    }

    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
        return isOthers(member) || super.hasIgnoreMarker(member);
    }
}
