package dev.counterpoint.gateway.access;

import java.util.UUID;

/// Names for rows: unguessable, and telling what they name.
final class Ids {
    private Ids() {}

    static String create(String kind) {
        return kind + "_" + UUID.randomUUID().toString().replace("-", "");
    }
}
