package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How far a tool that the server itself runs has come. `Completed` and `Failed` end a call, the others go before.
public sealed interface HostedEvent extends StreamEvent.InItem {
    /// A search of the web.
    sealed interface WebSearch extends HostedEvent {
        @JsonTypeName("response.web_search_call.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements WebSearch {}

        @JsonTypeName("response.web_search_call.searching")
        record Searching(long sequenceNumber, String itemId, int outputIndex) implements WebSearch {}

        @JsonTypeName("response.web_search_call.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements WebSearch {}
    }

    /// A search of the caller's files.
    sealed interface FileSearch extends HostedEvent {
        @JsonTypeName("response.file_search_call.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements FileSearch {}

        @JsonTypeName("response.file_search_call.searching")
        record Searching(long sequenceNumber, String itemId, int outputIndex) implements FileSearch {}

        @JsonTypeName("response.file_search_call.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements FileSearch {}
    }

    /// Code that the model writes and the server runs.
    sealed interface CodeInterpreter extends HostedEvent {
        @JsonTypeName("response.code_interpreter_call_code.delta")
        record CodeDelta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                String delta,
                @Nullable String obfuscation) implements CodeInterpreter {}

        @JsonTypeName("response.code_interpreter_call_code.done")
        record CodeDone(long sequenceNumber, String itemId, int outputIndex, String code) implements CodeInterpreter {}

        @JsonTypeName("response.code_interpreter_call.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements CodeInterpreter {}

        @JsonTypeName("response.code_interpreter_call.interpreting")
        record Interpreting(long sequenceNumber, String itemId, int outputIndex) implements CodeInterpreter {}

        @JsonTypeName("response.code_interpreter_call.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements CodeInterpreter {}
    }

    /// An image that the server draws.
    sealed interface ImageGeneration extends HostedEvent {
        @JsonTypeName("response.image_generation_call.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements ImageGeneration {}

        @JsonTypeName("response.image_generation_call.generating")
        record Generating(long sequenceNumber, String itemId, int outputIndex) implements ImageGeneration {}

        /// The image drawn so far, as base64; the other members describe its format.
        @JsonTypeName("response.image_generation_call.partial_image")
        record PartialImage(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int partialImageIndex,
                String partialImageB64,
                @Nullable String size,
                @Nullable String quality,
                @Nullable String background,
                @Nullable String outputFormat)
                implements ImageGeneration {}

        @JsonTypeName("response.image_generation_call.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements ImageGeneration {}
    }

    /// A call of a tool on an MCP server; `arguments` is JSON text.
    sealed interface McpCall extends HostedEvent {
        @JsonTypeName("response.mcp_call_arguments.delta")
        record ArgumentsDelta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                String delta,
                @Nullable String obfuscation) implements McpCall {}

        @JsonTypeName("response.mcp_call_arguments.done")
        record ArgumentsDone(long sequenceNumber, String itemId, int outputIndex, String arguments)
                implements McpCall {}

        @JsonTypeName("response.mcp_call.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements McpCall {}

        @JsonTypeName("response.mcp_call.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements McpCall {}

        @JsonTypeName("response.mcp_call.failed")
        record Failed(long sequenceNumber, String itemId, int outputIndex) implements McpCall {}
    }

    /// The asking of an MCP server for its tools.
    sealed interface McpListTools extends HostedEvent {
        @JsonTypeName("response.mcp_list_tools.in_progress")
        record InProgress(long sequenceNumber, String itemId, int outputIndex) implements McpListTools {}

        @JsonTypeName("response.mcp_list_tools.completed")
        record Completed(long sequenceNumber, String itemId, int outputIndex) implements McpListTools {}

        @JsonTypeName("response.mcp_list_tools.failed")
        record Failed(long sequenceNumber, String itemId, int outputIndex) implements McpListTools {}
    }

    /// What the command at `commandIndex` of a shell call put out.
    sealed interface ShellOutputs extends HostedEvent {
        @JsonTypeName("response.shell_call_output_content.delta")
        record Delta(long sequenceNumber, String itemId, int outputIndex, int commandIndex, ShellOutput.Delta delta)
                implements ShellOutputs {}

        @JsonTypeName("response.shell_call_output_content.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int commandIndex, List<ShellOutput> output)
                implements ShellOutputs {
            public Done {
                output = List.copyOf(output);
            }
        }
    }
}
