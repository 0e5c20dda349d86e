package dev.counterpoint.structured.strict;

/// The first rule that a schema breaks. It quotes the schema, so it is for the caller alone and never for a log.
///
/// @param detail OpenAI's sentence without its beginning, which names the owner
public record SchemaViolation(String detail) {
    static SchemaViolation in(SchemaContext context, String rule) {
        return new SchemaViolation("In context=" + context.tuple() + ", " + rule);
    }

    /// Some of OpenAI's sentences lack the "In".
    static SchemaViolation at(SchemaContext context, String rule) {
        return new SchemaViolation("context=" + context.tuple() + ", " + rule);
    }

    /// The whole sentence for the caller.
    public String message(SchemaOwner owner) {
        return "Invalid schema for " + owner.text() + ": " + detail;
    }
}
