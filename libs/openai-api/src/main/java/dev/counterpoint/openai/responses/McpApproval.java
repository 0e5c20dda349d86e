package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// Which calls of an MCP server's tools somebody has to approve.
public sealed interface McpApproval {
    /// All of them by `always`, none by `never`.
    record Mode(@JsonValue String mode) implements McpApproval {}

    record Filters(McpTools.@Nullable Filter always, McpTools.@Nullable Filter never, Others others)
            implements McpApproval {}
}
