package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// Something that is said of a value.
sealed interface Claim {
    /// It fits a schema, or does not.
    record Fits(Place schema, boolean holds) implements Claim {}

    /// It is this value, or is not.
    record Equals(JsonNode constant, boolean holds) implements Claim {}

    /// It meets one of the goals.
    record Either(List<Goal> goals) implements Claim {}
}
