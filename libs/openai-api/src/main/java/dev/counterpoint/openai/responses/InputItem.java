package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.Typed;
import dev.counterpoint.openai.json.Untagged;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An item of the conversation so far. Ids are optional wherever clients that keep nothing leave them out; what a
/// caller may leave out here and a server must say is a record of its own in [OutputItem].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface InputItem extends Typed
        permits InputItem.Message,
                InputItem.Reasoning,
                FunctionCall,
                InputItem.FunctionCallOutput,
                InputItem.ItemReference,
                InputItem.Hosted,
                InputItem.Unknown {
    /// Null where the caller gave the item none.
    @Nullable
    String id();

    /// A message of anyone; `phase` is `commentary` or `final_answer` on those of the assistant.
    @JsonTypeName("message")
    @Untagged(member = "role")
    record Message(
            @Nullable String id,
            MessageRole role,
            MessageContent content,
            @Nullable String phase,
            @Nullable ItemStatus status,
            Others others)
            implements InputItem {
        public Message(MessageRole role, MessageContent content) {
            this(null, role, content, null, null, Others.NONE);
        }
    }

    /// Reasoning of an earlier turn that comes back.
    @JsonTypeName("reasoning")
    record Reasoning(
            @Nullable String id,
            List<SummaryText> summary,
            @Nullable List<OutputContent> content,
            @Nullable String encryptedContent,
            @Nullable ItemStatus status,
            Others others)
            implements InputItem {
        public Reasoning {
            summary = List.copyOf(summary);
            content = content == null ? null : List.copyOf(content);
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Reasoning[id=" + id + "]";
        }
    }

    /// The answer of the client's function to the call `callId`; without `callId`, `name` identifies the function.
    @JsonTypeName("function_call_output")
    record FunctionCallOutput(
            @Nullable String id,
            @Nullable String callId,
            MessageContent output,
            @Nullable String name,
            @Nullable String namespace,
            @Nullable ToolCaller caller,
            @Nullable ItemStatus status,
            Others others)
            implements InputItem {
        /// The same as the result of that call.
        public FunctionCallOutput answering(String call) {
            return new FunctionCallOutput(id, call, output, name, namespace, caller, status, others);
        }
    }

    /// Stands for the stored item of that id.
    @JsonTypeName("item_reference")
    @Untagged(member = "id", alone = true)
    record ItemReference(String id, Others others) implements InputItem {}

    /// Items that only a server with the tools and services behind them can make use of.
    sealed interface Hosted extends InputItem
            permits HostedItem,
                    ComputerCallOutput,
                    ToolSearchCall,
                    ToolSearchOutput,
                    AdditionalTools,
                    ConfigurationUpdate,
                    Compaction,
                    CompactionTrigger,
                    ShellCall,
                    ShellCallOutput,
                    ApplyPatchCall,
                    ApplyPatchCallOutput,
                    McpApprovalResponse,
                    CustomToolCallOutput {}

    /// What the screen shows after the actions of the call `callId`; the caller has taken note of the safety checks.
    @JsonTypeName("computer_call_output")
    record ComputerCallOutput(
            @Nullable String id,
            String callId,
            Screenshot output,
            @Nullable List<SafetyCheck> acknowledgedSafetyChecks,
            @Nullable ItemStatus status,
            Others others)
            implements Hosted {
        public ComputerCallOutput {
            acknowledgedSafetyChecks = acknowledgedSafetyChecks == null ? null : List.copyOf(acknowledgedSafetyChecks);
        }
    }

    /// A search for tools; `execution` is `server` or `client`, `arguments` are those of the client's own search.
    @JsonTypeName("tool_search_call")
    record ToolSearchCall(
            @Nullable String id,
            @Nullable String callId,
            @Nullable String execution,
            ObjectNode arguments,
            @Nullable ItemStatus status,
            Others others)
            implements Hosted {}

    /// The tools that a search found.
    @JsonTypeName("tool_search_output")
    record ToolSearchOutput(
            @Nullable String id,
            @Nullable String callId,
            @Nullable String execution,
            List<Tool> tools,
            @Nullable ItemStatus status,
            Others others)
            implements Hosted {
        public ToolSearchOutput {
            tools = List.copyOf(tools);
        }
    }

    /// Tools that are there from here on; `role` is `developer`.
    @JsonTypeName("additional_tools")
    record AdditionalTools(@Nullable String id, String role, List<Tool> tools, Others others) implements Hosted {
        public AdditionalTools {
            tools = List.copyOf(tools);
        }
    }

    /// Sets the effort of the reasoning and the form of the text from here on.
    @JsonTypeName("configuration_update")
    record ConfigurationUpdate(
            @Nullable String id,
            @Nullable Effort reasoning,
            @Nullable Form text,
            Others others) implements Hosted {
        /// @param effort as in [ReasoningOptions]; null leaves it as it is
        public record Effort(@Nullable String effort, Others others) {}

        public record Form(TextFormat format, Others others) {}
    }

    /// What stands for all items before it, unread.
    @JsonTypeName("compaction")
    record Compaction(@Nullable String id, String encryptedContent, Others others) implements Hosted {
        /// Nothing of the conversation gets into logs.
        @Override
        public String toString() {
            return "Compaction[id=" + id + "]";
        }
    }

    /// Asks for the items before it to be compacted.
    @JsonTypeName("compaction_trigger")
    record CompactionTrigger(@Nullable String id, Others others) implements Hosted {}

    /// Commands for a shell.
    @JsonTypeName("shell_call")
    record ShellCall(
            @Nullable String id,
            String callId,
            @Nullable ToolCaller caller,
            ShellAction action,
            @Nullable ItemStatus status,
            @Nullable ShellEnvironment environment,
            Others others)
            implements Hosted {}

    /// What the commands of the call `callId` wrote, one entry a command; `maxOutputLength` counts characters.
    @JsonTypeName("shell_call_output")
    record ShellCallOutput(
            @Nullable String id,
            String callId,
            @Nullable ToolCaller caller,
            List<ShellOutput> output,
            @Nullable ItemStatus status,
            @Nullable Integer maxOutputLength,
            Others others)
            implements Hosted {
        public ShellCallOutput {
            output = List.copyOf(output);
        }
    }

    /// A change of a file.
    @JsonTypeName("apply_patch_call")
    record ApplyPatchCall(
            @Nullable String id,
            String callId,
            @Nullable ToolCaller caller,
            ItemStatus status,
            PatchOperation operation,
            Others others)
            implements Hosted {}

    /// How the change of the call `callId` went; `output` is text for the model.
    @JsonTypeName("apply_patch_call_output")
    record ApplyPatchCallOutput(
            @Nullable String id,
            String callId,
            @Nullable ToolCaller caller,
            ItemStatus status,
            @Nullable String output,
            Others others)
            implements Hosted {}

    /// Whether the call of an MCP tool may be made. The contract requires a `requestId` that it does not declare, so
    /// clients leave it out.
    @JsonTypeName("mcp_approval_response")
    record McpApprovalResponse(
            @Nullable String id,
            @Nullable String requestId,
            String approvalRequestId,
            boolean approve,
            @Nullable String reason,
            Others others)
            implements Hosted {}

    /// What the client's tool answered to the call `callId`.
    @JsonTypeName("custom_tool_call_output")
    record CustomToolCallOutput(
            @Nullable String id, String callId, @Nullable ToolCaller caller, MessageContent output, Others others)
            implements Hosted {}

    /// An item that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements InputItem {
        @Override
        public @Nullable String id() {
            return raw.path("id").textValue();
        }

        @Override
        public String type() {
            return raw.path("type").asText();
        }
    }
}
