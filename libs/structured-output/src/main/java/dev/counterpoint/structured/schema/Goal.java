package dev.counterpoint.structured.schema;

import java.util.List;

/// Claims that must all hold for one value. Goals of the same claims are one object.
final class Goal {
    private final Goals goals;
    private final List<Claim> claims;

    Goal(Goals goals, List<Claim> claims) {
        this.goals = goals;
        this.claims = claims;
    }

    /// In the order in which the schema makes them.
    List<Claim> claims() {
        return claims;
    }

    Goal and(Goal other) {
        return goals.and(this, other);
    }

    /// What no value meets.
    Goal never() {
        return goals.never();
    }

    boolean isAny() {
        return this == goals.any();
    }

    boolean isNever() {
        return this == goals.never();
    }
}
