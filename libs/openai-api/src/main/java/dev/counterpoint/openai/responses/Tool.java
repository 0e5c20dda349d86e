package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.Typed;
import dev.counterpoint.openai.json.WireNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Something the model may use.
///
/// `allowedCallers` holds `direct` for the model itself and `programmatic` for its programs; a tool with
/// `deferLoading` is not shown to the model before a tool search finds it; after a call of a tool that is `async` the
/// model continues without the result.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface Tool extends Typed {
    default @Nullable Boolean async() {
        return null;
    }

    /// A function that the client runs; `parameters` is the JSON Schema of its arguments.
    @JsonTypeName("function")
    record Function(
            String name,
            @JsonInclude(ALWAYS) @Nullable String description,
            @JsonInclude(ALWAYS) @Nullable ObjectNode parameters,
            @JsonInclude(ALWAYS) @Nullable Boolean strict,
            @Nullable ObjectNode outputSchema,
            @Nullable Boolean deferLoading,
            @Nullable List<String> allowedCallers,
            @Nullable Boolean async,
            Others others)
            implements Tool {
        public Function {
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }
    }

    /// A tool that the client runs on text; without a `format` any text.
    @JsonTypeName("custom")
    record Custom(
            String name,
            @Nullable String description,
            @Nullable CustomFormat format,
            @Nullable Boolean deferLoading,
            @Nullable List<String> allowedCallers,
            @Nullable Boolean async,
            Others others)
            implements Tool {
        public Custom {
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }
    }

    /// Functions and custom tools under one name.
    @JsonTypeName("namespace")
    record Namespace(String name, String description, List<Tool> tools, Others others) implements Tool {
        public Namespace {
            tools = List.copyOf(tools);
        }
    }

    @JsonTypeName("file_search")
    record FileSearch(
            List<String> vectorStoreIds,
            @Nullable Integer maxNumResults,
            @Nullable RankingOptions rankingOptions,
            @Nullable SearchFilter filters,
            Others others)
            implements Tool {
        public FileSearch {
            vectorStoreIds = List.copyOf(vectorStoreIds);
        }
    }

    /// `searchContextSize` is `low`, `medium` or `high`.
    @WireNames({"web_search", "web_search_2025_08_26"})
    record WebSearch(
            String type,
            @Nullable Boolean externalWebAccess,
            @Nullable Filters filters,
            @Nullable UserLocation userLocation,
            @Nullable String searchContextSize,
            Others others)
            implements Tool {
        /// Only these domains and what is below them.
        public record Filters(@Nullable List<String> allowedDomains, Others others) {
            public Filters {
                allowedDomains = allowedDomains == null ? null : List.copyOf(allowedDomains);
            }
        }
    }

    /// `searchContentTypes` holds `text` and `image`.
    @WireNames({"web_search_preview", "web_search_preview_2025_03_11"})
    record WebSearchPreview(
            String type,
            @Nullable UserLocation userLocation,
            @Nullable String searchContextSize,
            @Nullable List<String> searchContentTypes,
            Others others)
            implements Tool {
        public WebSearchPreview {
            searchContentTypes = searchContentTypes == null ? null : List.copyOf(searchContentTypes);
        }
    }

    /// The tools of an MCP server, which is given by one of `serverUrl`, `connectorId` and `tunnelId`.
    ///
    /// @param authorization a token for the server
    /// @param headers of every request to the server
    /// @param requireApproval null stands for always
    @JsonTypeName("mcp")
    record Mcp(
            String serverLabel,
            @Nullable String serverUrl,
            @Nullable String connectorId,
            @Nullable String tunnelId,
            @Nullable String authorization,
            @Nullable String serverDescription,
            @Nullable Map<String, String> headers,
            @Nullable McpTools allowedTools,
            @Nullable List<String> allowedCallers,
            @Nullable McpApproval requireApproval,
            @Nullable Boolean deferLoading,
            Others others)
            implements Tool {
        public Mcp {
            headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }

        /// Tokens stay out of logs.
        @Override
        public String toString() {
            return "Mcp[serverLabel=" + serverLabel + "]";
        }
    }

    @JsonTypeName("code_interpreter")
    record CodeInterpreter(
            CodeContainer container, @Nullable List<String> allowedCallers, Others others) implements Tool {
        public CodeInterpreter {
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }
    }

    /// @param size width x height in pixels, or `auto`
    /// @param outputCompression percent, 0 to 100
    /// @param partialImages how many come before the whole one, 0 to 3
    @JsonTypeName("image_generation")
    record ImageGeneration(
            @Nullable String model,
            @Nullable String quality,
            @Nullable String size,
            @Nullable String outputFormat,
            @Nullable Integer outputCompression,
            @Nullable String moderation,
            @Nullable String background,
            @Nullable String inputFidelity,
            @Nullable Mask inputImageMask,
            @Nullable Integer partialImages,
            @Nullable String action,
            Others others)
            implements Tool {
        /// The part of an image that may change.
        public record Mask(
                @Nullable String imageUrl, @Nullable String fileId, Others others) {}
    }

    @JsonTypeName("computer")
    record Computer(Others others) implements Tool {}

    /// Sizes are pixels; `environment` is `windows`, `mac`, `linux`, `ubuntu` or `browser`.
    @JsonTypeName("computer_use_preview")
    record ComputerUsePreview(String environment, int displayWidth, int displayHeight, Others others) implements Tool {}

    @JsonTypeName("local_shell")
    record LocalShell(Others others) implements Tool {}

    @JsonTypeName("shell")
    record Shell(
            @Nullable ShellEnvironment environment,
            @Nullable List<String> allowedCallers,
            Others others) implements Tool {
        public Shell {
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }
    }

    @JsonTypeName("apply_patch")
    record ApplyPatch(@Nullable List<String> allowedCallers, Others others) implements Tool {
        public ApplyPatch {
            allowedCallers = allowedCallers == null ? null : List.copyOf(allowedCallers);
        }
    }

    /// Finds tools whose loading is deferred; `execution` is `server` or `client`, `parameters` the JSON Schema of a
    /// client's search.
    @JsonTypeName("tool_search")
    record ToolSearch(
            @Nullable String execution,
            @Nullable String description,
            @Nullable ObjectNode parameters,
            Others others) implements Tool {}

    /// Lets the model write programs that call tools.
    @JsonTypeName("programmatic_tool_calling")
    record ProgrammaticToolCalling(Others others) implements Tool {}

    /// A tool that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements Tool {
        @Override
        public String type() {
            return raw.path("type").asText();
        }
    }
}
