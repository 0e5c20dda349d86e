package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// A tool as its MCP server describes it; `annotations` are the server's own.
public record McpTool(
        String name,
        @Nullable String description,
        ObjectNode inputSchema,
        @Nullable ObjectNode annotations,
        Others others) {}
