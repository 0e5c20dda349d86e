package dev.counterpoint.gateway.tenancy;

import java.util.UUID;

/// Names for rows: unguessable, and telling what they name.
final class RowIds {
    private RowIds() {}

    static String create(String kind) {
        return kind + "_" + UUID.randomUUID().toString().replace("-", "");
    }
}
