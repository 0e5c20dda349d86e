package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Claim.Either;
import dev.counterpoint.structured.schema.Claim.Equals;
import dev.counterpoint.structured.schema.Claim.Fits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes the goals of one schema.
final class Goals {
    private final Map<Set<Claim>, Goal> all = new HashMap<>();
    private final Goal any = new Goal(this, List.of());
    private final Goal never = new Goal(this, List.of(new Either(List.of())));

    /// Every value meets it.
    Goal any() {
        return any;
    }

    /// No value meets it.
    Goal never() {
        return never;
    }

    Goal fits(Place schema, boolean holds) {
        var node = schema.node();
        if (node.isBoolean()) {
            return node.booleanValue() == holds ? any : never;
        }
        return node.isObject() && node.isEmpty() ? holds ? any : never : of(Set.of(new Fits(schema, holds)));
    }

    Goal equals(JsonNode constant, boolean holds) {
        return of(Set.of(new Equals(constant, holds)));
    }

    Goal either(List<Goal> choices) {
        if (choices.contains(any)) {
            return any;
        }
        var possible =
                choices.stream().filter(choice -> choice != never).distinct().toList();
        return switch (possible.size()) {
            case 0 -> never;
            case 1 -> possible.getFirst();
            default -> of(Set.of(new Either(possible)));
        };
    }

    /// What is met exactly where the goal is not.
    Goal opposite(Goal goal) {
        var choices = goal.claims().stream().map(this::opposite).toList();
        return either(choices);
    }

    private Goal opposite(Claim claim) {
        return switch (claim) {
            case Fits(var schema, var holds) -> fits(schema, !holds);
            case Equals(var constant, var holds) -> equals(constant, !holds);
            case Either(var goals) -> goals.stream().map(this::opposite).reduce(any, this::and);
        };
    }

    Goal and(Goal first, Goal second) {
        if (first == second || second == any || first == never) {
            return first;
        }
        if (first == any || second == never) {
            return second;
        }
        var claims = new LinkedHashSet<>(first.claims());
        claims.addAll(second.claims());
        return contradict(claims) ? never : of(claims);
    }

    private Goal of(Set<Claim> claims) {
        var known = all.get(claims);
        if (known == null) {
            WorkLimit.spend(1 + claims.size());
            known = new Goal(this, List.copyOf(claims));
            all.put(new HashSet<>(claims), known);
        }
        return known;
    }

    private static boolean contradict(Set<Claim> claims) {
        return claims.stream().anyMatch(claim -> switch (claim) {
            case Fits(var schema, var holds) -> claims.contains(new Fits(schema, !holds));
            case Equals(var constant, var holds) -> claims.contains(new Equals(constant, !holds));
            case Either _ -> false;
        });
    }
}
