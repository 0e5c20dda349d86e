package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/// An [Instance] that was made to break its schema in one place, and there alone.
///
/// @param how what was done to the place
/// @param rule the member that was touched, by the schema that says what it is, as in `FunctionTool.name`
/// @param place where that is
/// @param path the same as a caller would write it, as in `input[0].content`; empty for the value as a whole
public record Spoiled(Instance instance, Fault how, String rule, JsonPointer place, String path, JsonNode json) {
    /// What was done.
    public enum Fault {
        /// A required member was taken away.
        REMOVED,
        /// A value became one of another JSON type.
        RETYPED,
        /// A text of a fixed set became one that is not in it.
        RENAMED
    }

    @Override
    public String toString() {
        return instance + " " + how + " at " + path;
    }
}
