package dev.counterpoint.bus;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A kind of service as a reader of sealed content: each has a key pair, shared by its replicas.
public enum ServiceRole {
    GATEWAY,
    WORKER,
    SUMMARIZER,
    AUDIT;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Empty for a role of a newer version: it gets no key from us.
    public static Optional<ServiceRole> ofWireName(String name) {
        return Stream.of(values()).filter(role -> role.wireName().equals(name)).findFirst();
    }

    /// The names of `roles`, in order.
    public static List<String> wireNames(Set<ServiceRole> roles) {
        return roles.stream().map(ServiceRole::wireName).sorted().toList();
    }

    /// The roles with these names; skips names of newer versions.
    public static Set<ServiceRole> ofWireNames(List<String> names) {
        return names.stream().flatMap(name -> ofWireName(name).stream()).collect(Collectors.toUnmodifiableSet());
    }
}
