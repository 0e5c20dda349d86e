package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.Typed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The output of the model and its tools, in order of production.
///
/// `createdBy` names the author of an item when a server reports it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface OutputItem extends Typed
        permits OutputItem.Message,
                OutputItem.Reasoning,
                FunctionCall,
                OutputItem.FunctionCallOutput,
                HostedItem,
                OutputItem.ComputerCallOutput,
                OutputItem.ToolSearchCall,
                OutputItem.ToolSearchOutput,
                OutputItem.AdditionalTools,
                OutputItem.Compaction,
                OutputItem.ShellCall,
                OutputItem.ShellCallOutput,
                OutputItem.ApplyPatchCall,
                OutputItem.ApplyPatchCallOutput,
                OutputItem.McpApprovalResponse,
                OutputItem.CustomToolCallOutput,
                OutputItem.Unknown {
    /// Null only on items that the contract lets go without, and on those that this library does not know.
    @Nullable
    String id();

    /// A message to the user; `phase` is `commentary` or `final_answer`.
    @JsonTypeName("message")
    record Message(
            String id,
            ItemStatus status,
            MessageRole role,
            List<OutputContent> content,
            @Nullable String phase,
            Others others)
            implements OutputItem {
        public Message {
            content = List.copyOf(content);
        }

        public Message(
                String id, ItemStatus status, MessageRole role, List<OutputContent> content, @Nullable String phase) {
            this(id, status, role, content, phase, Others.NONE);
        }
    }

    /// The model's reasoning: `summary` is safe for anyone, `content` is raw and only for entitled callers,
    /// `encryptedContent` is opaque and comes back unread on the next turn.
    @JsonTypeName("reasoning")
    record Reasoning(
            String id,
            List<SummaryText> summary,
            @Nullable List<OutputContent.ReasoningText> content,
            @Nullable String encryptedContent,
            @Nullable ItemStatus status,
            Others others)
            implements OutputItem {
        public Reasoning {
            summary = List.copyOf(summary);
            content = content == null ? null : List.copyOf(content);
        }

        public Reasoning(
                String id,
                List<SummaryText> summary,
                @Nullable List<OutputContent.ReasoningText> content,
                @Nullable String encryptedContent,
                @Nullable ItemStatus status) {
            this(id, summary, content, encryptedContent, status, Others.NONE);
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Reasoning[id=" + id + "]";
        }
    }

    /// What a function answered to the call `callId`.
    @JsonTypeName("function_call_output")
    record FunctionCallOutput(
            String id,
            @Nullable String callId,
            MessageContent output,
            @Nullable String name,
            @Nullable String namespace,
            @Nullable ToolCaller caller,
            ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// What the screen shows after the actions of the call `callId`.
    @JsonTypeName("computer_call_output")
    record ComputerCallOutput(
            String id,
            String callId,
            Screenshot output,
            @Nullable List<SafetyCheck> acknowledgedSafetyChecks,
            ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {
        public ComputerCallOutput {
            acknowledgedSafetyChecks = acknowledgedSafetyChecks == null ? null : List.copyOf(acknowledgedSafetyChecks);
        }
    }

    /// A search for tools; `execution` is `server` or `client`.
    @JsonTypeName("tool_search_call")
    record ToolSearchCall(
            String id,
            @JsonInclude(ALWAYS) @Nullable String callId,
            String execution,
            JsonNode arguments,
            ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// The tools that a search found.
    @JsonTypeName("tool_search_output")
    record ToolSearchOutput(
            String id,
            @JsonInclude(ALWAYS) @Nullable String callId,
            String execution,
            List<Tool> tools,
            ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {
        public ToolSearchOutput {
            tools = List.copyOf(tools);
        }
    }

    /// Tools that are there from here on.
    @JsonTypeName("additional_tools")
    record AdditionalTools(String id, String role, List<Tool> tools, Others others) implements OutputItem {
        public AdditionalTools {
            tools = List.copyOf(tools);
        }
    }

    /// What stands for all items before it, unread.
    @JsonTypeName("compaction")
    record Compaction(
            String id, String encryptedContent, @Nullable String createdBy, Others others) implements OutputItem {
        /// Nothing of the conversation gets into logs.
        @Override
        public String toString() {
            return "Compaction[id=" + id + "]";
        }
    }

    /// Commands for a shell.
    @JsonTypeName("shell_call")
    record ShellCall(
            String id,
            String callId,
            @Nullable ToolCaller caller,
            ShellAction action,
            ItemStatus status,
            @JsonInclude(ALWAYS) @Nullable ShellEnvironment environment,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// What the commands of the call `callId` wrote, one entry a command; `maxOutputLength` counts characters.
    @JsonTypeName("shell_call_output")
    record ShellCallOutput(
            String id,
            String callId,
            @Nullable ToolCaller caller,
            ItemStatus status,
            List<ShellOutput> output,
            @JsonInclude(ALWAYS) @Nullable Integer maxOutputLength,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {
        public ShellCallOutput {
            output = List.copyOf(output);
        }
    }

    /// A change of a file.
    @JsonTypeName("apply_patch_call")
    record ApplyPatchCall(
            String id,
            String callId,
            @Nullable ToolCaller caller,
            ItemStatus status,
            PatchOperation operation,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// How the change of the call `callId` went; `output` is text for the model.
    @JsonTypeName("apply_patch_call_output")
    record ApplyPatchCallOutput(
            String id,
            String callId,
            @Nullable ToolCaller caller,
            ItemStatus status,
            @Nullable String output,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// Whether the call of an MCP tool may be made. The contract requires a `requestId` that it does not declare, so
    /// clients leave it out.
    @JsonTypeName("mcp_approval_response")
    record McpApprovalResponse(
            String id,
            @Nullable String requestId,
            String approvalRequestId,
            boolean approve,
            @Nullable String reason,
            Others others)
            implements OutputItem {}

    /// What the client's tool answered to the call `callId`.
    @JsonTypeName("custom_tool_call_output")
    record CustomToolCallOutput(
            String id,
            String callId,
            @Nullable ToolCaller caller,
            MessageContent output,
            ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements OutputItem {}

    /// An item that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements OutputItem {
        @Override
        public String type() {
            return raw.path("type").asText();
        }

        @Override
        public @Nullable String id() {
            return raw.path("id").textValue();
        }
    }
}
