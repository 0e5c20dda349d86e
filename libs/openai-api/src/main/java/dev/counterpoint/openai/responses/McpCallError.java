package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// Why the call of an MCP tool failed.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface McpCallError {
    @JsonTypeName("mcp_protocol_error")
    record Protocol(int code, String message, Others others) implements McpCallError {}

    /// The tool's own error, unchanged.
    @JsonTypeName("mcp_tool_execution_error")
    record Execution(JsonNode content, Others others) implements McpCallError {}

    @JsonTypeName("http_error")
    record Http(int code, String message, Others others) implements McpCallError {}

    /// An error that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements McpCallError {}
}
