package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// How schemas are read and how their values are written.
///
/// @param lenient what cannot be enforced is listed instead of refused
/// @param openObjects objects may have more properties than listed where a schema does not say, as JSON Schema has
///     it
/// @param documents that references may lead to, by their URI without fragment
public record SchemaOptions(boolean lenient, boolean openObjects, Writing writing, Map<String, JsonNode> documents) {
    /// How values are written.
    ///
    /// @param spacing where blanks may stand between the parts of a value
    public record Writing(Spacing spacing, ValueForm form) {}

    /// All of JSON Schema or a refusal; blanks as common writers put them, values in their canonical form.
    public static final SchemaOptions STRICT =
            new SchemaOptions(false, true, new Writing(Spacing.COMMON, ValueForm.CANONICAL), Map.of());

    /// What can be enforced of a schema without `strict`; values in any form.
    public static final SchemaOptions LENIENT = STRICT.withForm(ValueForm.ANY).withLeniency();

    public SchemaOptions {
        documents = Map.copyOf(documents);
    }

    public SchemaOptions withLeniency() {
        return new SchemaOptions(true, openObjects, writing, documents);
    }

    public SchemaOptions withClosedObjects() {
        return new SchemaOptions(lenient, false, writing, documents);
    }

    public SchemaOptions withDocuments(Map<String, JsonNode> known) {
        return new SchemaOptions(lenient, openObjects, writing, known);
    }

    public SchemaOptions withSpacing(Spacing spacing) {
        return new SchemaOptions(lenient, openObjects, new Writing(spacing, writing.form), documents);
    }

    public SchemaOptions withForm(ValueForm form) {
        return new SchemaOptions(lenient, openObjects, new Writing(writing.spacing, form), documents);
    }
}
