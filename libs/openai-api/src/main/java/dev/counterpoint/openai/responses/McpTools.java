package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some of the tools of an MCP server: by their names, or by what they have in common.
public sealed interface McpTools {
    record Names(@JsonValue List<String> names) implements McpTools {
        public Names {
            names = List.copyOf(names);
        }
    }

    /// Those that are named and, with `readOnly`, change nothing.
    record Filter(
            @Nullable List<String> toolNames, @Nullable Boolean readOnly, Others others) implements McpTools {
        public Filter {
            toolNames = toolNames == null ? null : List.copyOf(toolNames);
        }
    }
}
