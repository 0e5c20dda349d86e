package dev.counterpoint.structured.schema;

import java.util.ArrayList;
import java.util.List;

/// The resources that were entered on the way to a schema and have a dynamic anchor that none before them has,
/// outermost first.
record DynamicScope(List<SchemaResource> entered) {
    static final DynamicScope NONE = new DynamicScope(List.of());

    DynamicScope entering(SchemaResource resource) {
        var names = resource.dynamicNames();
        if (names.stream()
                .allMatch(name ->
                        entered.stream().anyMatch(one -> one.dynamicNames().contains(name)))) {
            return this;
        }
        var longer = new ArrayList<>(entered);
        longer.add(resource);
        return new DynamicScope(List.copyOf(longer));
    }
}
