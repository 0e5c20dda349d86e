package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// How schemas are read and how their values are written.
///
/// @param lenient what cannot be enforced is listed instead of refused
/// @param openObjects objects may have more properties than listed where a schema does not say, as JSON Schema has it
/// @param spacing where blanks may stand between the parts of a value
/// @param documents that references may lead to, by their URI without fragment
public record SchemaOptions(boolean lenient, boolean openObjects, Spacing spacing, Map<String, JsonNode> documents) {
    /// All of JSON Schema or a refusal; blanks as common writers put them.
    public static final SchemaOptions STRICT = new SchemaOptions(false, true, Spacing.COMMON, Map.of());

    public SchemaOptions {
        documents = Map.copyOf(documents);
    }

    public SchemaOptions withLeniency() {
        return new SchemaOptions(true, openObjects, spacing, documents);
    }

    public SchemaOptions withDocuments(Map<String, JsonNode> known) {
        return new SchemaOptions(lenient, openObjects, spacing, known);
    }

    public SchemaOptions withSpacing(Spacing other) {
        return new SchemaOptions(lenient, openObjects, other, documents);
    }
}
