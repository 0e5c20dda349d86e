package dev.counterpoint.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Our extension, another name for what each API has its own: the answer is to be JSON of this schema.
/// Equals `response_format` and `text.format` of type `json_schema`.
///
/// @param type `json`; another word is for the reader to refuse
/// @param schema JSON schema
public record ResponseSchema(String type, ObjectNode schema) {
    /// What the schema is called where the API wants a name.
    public static final String NAME = "response_schema";
}
