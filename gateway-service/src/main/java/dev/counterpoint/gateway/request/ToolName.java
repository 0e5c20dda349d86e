package dev.counterpoint.gateway.request;

import org.jspecify.annotations.Nullable;

/// The name of a client's tool.
///
/// @param namespace that the request put it in, or null
/// @param name within it
public record ToolName(@Nullable String namespace, String name) {
    /// No name that the API allows holds it.
    private static final char BETWEEN = '.';

    public static ToolName of(String name) {
        return new ToolName(null, name);
    }

    /// Reads what [#whole] wrote.
    public static ToolName parse(String whole) {
        int end = whole.indexOf(BETWEEN);
        return end < 0 ? of(whole) : new ToolName(whole.substring(0, end), whole.substring(end + 1));
    }

    /// The name that is unique in a request.
    public String whole() {
        return namespace == null ? name : namespace + BETWEEN + name;
    }
}
