package dev.counterpoint.harmony.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A named group of tools. Namespaces are rendered in the order of their names, their tools in list order.
public record ToolNamespace(String name, @Nullable String description, List<ToolDescription> tools) {
    /// The namespace of user-defined functions, called on `commentary` as `to=functions.NAME`.
    public static final String FUNCTIONS = "functions";

    /// What stands before the name of a user-defined function in a recipient and in the author of its result.
    public static final String FUNCTION_PREFIX = FUNCTIONS + ".";

    /// A recipient without the namespace of user-defined functions, also where the model doubled it.
    public static String withoutFunctions(String recipient) {
        var name = recipient;
        while (name.startsWith(FUNCTION_PREFIX)) {
            name = name.substring(FUNCTION_PREFIX.length());
        }
        return name;
    }

    public ToolNamespace {
        tools = List.copyOf(tools);
    }

    /// User-defined functions; belongs into a developer message.
    public static ToolNamespace functions(List<ToolDescription> tools) {
        return new ToolNamespace(FUNCTIONS, null, tools);
    }
}
