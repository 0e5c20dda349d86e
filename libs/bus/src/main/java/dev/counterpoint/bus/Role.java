package dev.counterpoint.bus;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A kind of service as a reader of sealed content: each has a key pair, shared by its replicas.
public enum Role {
    GATEWAY,
    WORKER,
    SUMMARIZER,
    AUDIT;

    /// The name in key files and on the wire.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Empty for a role of a newer version: it gets no key from us.
    public static Optional<Role> ofWireName(String name) {
        return Stream.of(values()).filter(role -> role.wireName().equals(name)).findFirst();
    }
}
