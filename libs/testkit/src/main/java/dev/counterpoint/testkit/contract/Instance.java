package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/// A generated value that keeps a schema of the contract.
///
/// @param seed makes the same value again
/// @param objects the parts of the schema that each object in it keeps, by the place of the object
public record Instance(String schema, long seed, JsonNode json, Map<JsonPointer, List<String>> objects) {
    @Override
    public String toString() {
        return schema + " #" + seed;
    }
}
