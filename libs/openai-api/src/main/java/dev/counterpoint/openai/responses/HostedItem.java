package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Items of tools other than functions that are the same on the wire when a model makes them and when a caller
/// sends them back.
public sealed interface HostedItem extends InputItem.Hosted, OutputItem {
    /// `results` only where the request includes them.
    @JsonTypeName("file_search_call")
    record FileSearchCall(
            String id,
            ItemStatus status,
            List<String> queries,
            @Nullable List<FileSearchResult> results,
            Others others) implements HostedItem {
        public FileSearchCall {
            queries = List.copyOf(queries);
            results = results == null ? null : List.copyOf(results);
        }
    }

    @JsonTypeName("web_search_call")
    record WebSearchCall(String id, ItemStatus status, WebSearchAction action, Others others) implements HostedItem {}

    /// What to do at a screen: one `action`, or several `actions` in this order.
    @JsonTypeName("computer_call")
    record ComputerCall(
            String id,
            String callId,
            @Nullable ComputerAction action,
            @Nullable List<ComputerAction> actions,
            List<SafetyCheck> pendingSafetyChecks,
            ItemStatus status,
            Others others)
            implements HostedItem {
        public ComputerCall {
            actions = actions == null ? null : List.copyOf(actions);
            pendingSafetyChecks = List.copyOf(pendingSafetyChecks);
        }
    }

    /// `result` is the image in Base64.
    @JsonTypeName("image_generation_call")
    record ImageGenerationCall(
            String id,
            ItemStatus status,
            @JsonInclude(ALWAYS) @Nullable String result,
            Others others) implements HostedItem {}

    /// `outputs` only where the request includes them.
    @JsonTypeName("code_interpreter_call")
    record CodeInterpreterCall(
            String id,
            ItemStatus status,
            String containerId,
            @JsonInclude(ALWAYS) @Nullable String code,
            @JsonInclude(ALWAYS) @Nullable List<CodeOutput> outputs,
            Others others)
            implements HostedItem {
        public CodeInterpreterCall {
            outputs = outputs == null ? null : List.copyOf(outputs);
        }
    }

    /// A command for a shell of the caller's own.
    @JsonTypeName("local_shell_call")
    record LocalShellCall(String id, String callId, LocalShellAction action, ItemStatus status, Others others)
            implements HostedItem {}

    /// What the command wrote. The contract requires a `callId` that it does not declare, so clients leave it out.
    @JsonTypeName("local_shell_call_output")
    record LocalShellCallOutput(
            String id,
            @Nullable String callId,
            String output,
            @Nullable ItemStatus status,
            Others others) implements HostedItem {}

    /// The tools that an MCP server offers, or why it could not say.
    @JsonTypeName("mcp_list_tools")
    record McpListTools(
            String id,
            String serverLabel,
            List<McpTool> tools,
            @Nullable String error,
            Others others) implements HostedItem {
        public McpListTools {
            tools = List.copyOf(tools);
        }
    }

    /// Asks whether the call of an MCP tool may be made; `arguments` is JSON text.
    @JsonTypeName("mcp_approval_request")
    record McpApprovalRequest(String id, String serverLabel, String name, String arguments, Others others)
            implements HostedItem {}

    /// A call of an MCP tool, with its `output` or `error` once it has one; `arguments` is JSON text.
    @JsonTypeName("mcp_call")
    record McpCall(
            String id,
            String serverLabel,
            String name,
            String arguments,
            @Nullable String output,
            @Nullable McpCallError error,
            @Nullable ItemStatus status,
            @Nullable String approvalRequestId,
            Others others)
            implements HostedItem {}

    /// A call of a tool that the client runs; `input` is free text or follows the tool's grammar.
    @JsonTypeName("custom_tool_call")
    record CustomToolCall(
            @Nullable String id,
            String callId,
            String name,
            String input,
            @Nullable String namespace,
            @Nullable ToolCaller caller,
            @Nullable Boolean async,
            Others others)
            implements HostedItem {}

    /// A program that calls tools; `fingerprint` comes back with it unread.
    @JsonTypeName("program")
    record Program(String id, String callId, String code, String fingerprint, Others others) implements HostedItem {}

    /// What the program of the call `callId` returned.
    @JsonTypeName("program_output")
    record ProgramOutput(String id, String callId, String result, ItemStatus status, Others others)
            implements HostedItem {}
}
