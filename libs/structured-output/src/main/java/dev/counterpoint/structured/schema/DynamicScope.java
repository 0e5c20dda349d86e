package dev.counterpoint.structured.schema;

import java.util.ArrayList;
import java.util.List;

/// The resources with dynamic anchors that were entered on the way to a schema, outermost first.
record DynamicScope(List<SchemaResource> entered) {
    static final DynamicScope NONE = new DynamicScope(List.of());

    DynamicScope entering(SchemaResource resource) {
        if (!resource.isDynamic() || entered.contains(resource)) {
            return this;
        }
        var longer = new ArrayList<>(entered);
        longer.add(resource);
        return new DynamicScope(List.copyOf(longer));
    }
}
