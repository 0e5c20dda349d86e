package dev.counterpoint.structured.schema;

/// A schema is invalid, fits no value, or demands what cannot be enforced. The message is for whoever sent the
/// schema.
public final class SchemaRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String keyword;
    private final String path;

    /// @param keyword for instance `uniqueItems`; empty when no single keyword is the reason
    /// @param path JSON pointer to the schema that has the keyword
    public SchemaRefusedException(String keyword, String path, String message) {
        super(message, null, false, false);
        this.keyword = keyword;
        this.path = path;
    }

    public String keyword() {
        return keyword;
    }

    public String path() {
        return path;
    }
}
