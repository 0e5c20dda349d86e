package dev.counterpoint.harmony.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One part of a message's body. Parts are rendered one after the other, without separators.
public sealed interface Content {
    /// Plain text. Text that spells a control token stays harmless.
    record Text(String text) implements Content {
        /// Without the text: prompts and reasoning stay out of logs.
        @Override
        public String toString() {
            return "Text[" + text.length() + " chars]";
        }
    }

    /// The fixed form of a system message; a null member is left out. Dates are rendered as given (`2025-06-28`).
    record SystemContent(
            @Nullable String modelIdentity,
            @Nullable ReasoningEffort reasoningEffort,
            List<ToolNamespace> tools,
            @Nullable String conversationStartDate,
            @Nullable String knowledgeCutoff,
            @Nullable ChannelConfig channelConfig)
            implements Content {
        public SystemContent {
            tools = List.copyOf(tools);
        }

        /// ChatGPT's identity, medium effort, cutoff 2024-06, all three channels, no date, no tools.
        public static SystemContent defaults() {
            return new SystemContent(
                    "You are ChatGPT, a large language model trained by OpenAI.",
                    ReasoningEffort.MEDIUM,
                    List.of(),
                    null,
                    "2024-06",
                    ChannelConfig.defaults());
        }

        public SystemContent withModelIdentity(@Nullable String identity) {
            return new SystemContent(
                    identity, reasoningEffort, tools, conversationStartDate, knowledgeCutoff, channelConfig);
        }

        public SystemContent withReasoningEffort(@Nullable ReasoningEffort effort) {
            return new SystemContent(
                    modelIdentity, effort, tools, conversationStartDate, knowledgeCutoff, channelConfig);
        }

        /// Built-in tools; functions belong into the developer message.
        public SystemContent withTools(List<ToolNamespace> namespaces) {
            return new SystemContent(
                    modelIdentity, reasoningEffort, namespaces, conversationStartDate, knowledgeCutoff, channelConfig);
        }

        /// Today's date as `yyyy-MM-dd`.
        public SystemContent withConversationStartDate(@Nullable String date) {
            return new SystemContent(modelIdentity, reasoningEffort, tools, date, knowledgeCutoff, channelConfig);
        }
    }

    /// Instructions, tools and response formats of the application, in this order. Null instructions leave their
    /// section out, empty ones do not. Formats are as the guide to the format has them; the references know none.
    record DeveloperContent(
            @Nullable String instructions, List<ToolNamespace> tools, List<ResponseFormatSection> formats)
            implements Content {
        public DeveloperContent {
            tools = List.copyOf(tools);
            formats = List.copyOf(formats);
        }

        public DeveloperContent(@Nullable String instructions, List<ToolNamespace> tools) {
            this(instructions, tools, List.of());
        }

        /// Instructions with user-defined functions; an empty list means no tools section.
        public static DeveloperContent withFunctions(@Nullable String instructions, List<ToolDescription> functions) {
            return new DeveloperContent(
                    instructions, functions.isEmpty() ? List.of() : List.of(ToolNamespace.functions(functions)));
        }

        /// Without the instructions: prompts stay out of logs.
        @Override
        public String toString() {
            return "DeveloperContent[" + tools.size() + " namespaces]";
        }
    }
}
