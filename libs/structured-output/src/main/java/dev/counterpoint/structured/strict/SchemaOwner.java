package dev.counterpoint.structured.strict;

/// The owner of a schema, as OpenAI's messages name it.
///
/// @param text such as `function 'get_weather'`
public record SchemaOwner(String text) {
    /// @param name that the request gives the format
    public static SchemaOwner responseFormat(String name) {
        return new SchemaOwner("response_format '" + name + "'");
    }

    /// @param name of the function whose parameters it describes
    public static SchemaOwner function(String name) {
        return new SchemaOwner("function '" + name + "'");
    }
}
