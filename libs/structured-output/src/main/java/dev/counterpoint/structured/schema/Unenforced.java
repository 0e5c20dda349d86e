package dev.counterpoint.structured.schema;

/// A keyword that the grammar does not enforce.
///
/// @param path JSON pointer to the schema that has the keyword
/// @param reason for whoever sent the schema
public record Unenforced(String keyword, String path, String reason) {}
