package dev.counterpoint.gateway.tenancy;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A right of an API key beyond plain answers.
public enum Scope {
    /// The safe summary of the model's reasoning.
    REASONING_SUMMARY("reasoning:summary"),
    /// The raw chain of thought, and with it the summary.
    REASONING_RAW("reasoning:raw"),
    /// To register URLs that hear of the ends of the project's background responses.
    WEBHOOKS("webhooks");

    private final String wireName;

    Scope(String wireName) {
        this.wireName = wireName;
    }

    /// The name in key files, in the admin API and in error messages.
    public String wireName() {
        return wireName;
    }

    public static Optional<Scope> named(String wireName) {
        return Arrays.stream(values())
                .filter(scope -> scope.wireName.equals(wireName))
                .findFirst();
    }

    /// The form of the database: names with commas between them.
    static String join(Collection<Scope> scopes) {
        return scopes.stream().sorted().map(Scope::wireName).collect(Collectors.joining(","));
    }

    /// Reads [#join]; a name that is not known any more grants nothing.
    static Set<Scope> split(String joined) {
        var scopes = EnumSet.noneOf(Scope.class);
        for (var name : joined.split(",")) {
            named(name).ifPresent(scopes::add);
        }
        return scopes;
    }
}
