package dev.counterpoint.validator;

/// The texts that come in deltas.
enum TextKind {
    OUTPUT_TEXT("message", Family.CONTENT, "output_text", "text"),
    REFUSAL("message", Family.CONTENT, "refusal", "refusal"),
    REASONING("reasoning", Family.CONTENT, "reasoning_text", "text"),
    SUMMARY("reasoning", Family.SUMMARY, "summary_text", "text"),
    FUNCTION_ARGUMENTS("function_call", Family.MEMBER, "arguments", "arguments"),
    CUSTOM_INPUT("custom_tool_call", Family.MEMBER, "input", "input"),
    MCP_ARGUMENTS("mcp_call", Family.MEMBER, "arguments", "arguments"),
    CODE("code_interpreter_call", Family.MEMBER, "code", "code"),
    COMMAND("shell_call", Family.COMMAND, "command", "command");

    private final String itemKind;
    private final Family family;
    private final String part;
    private final String member;

    TextKind(String itemKind, Family family, String part, String member) {
        this.itemKind = itemKind;
        this.family = family;
        this.part = part;
        this.member = member;
    }

    /// The `type` of the items that have such a text.
    String itemKind() {
        return itemKind;
    }

    Family family() {
        return family;
    }

    /// The `type` of the part that holds it, or the name of the item's member.
    String part() {
        return part;
    }

    /// The member of its done event that repeats it.
    String member() {
        return member;
    }

    /// Where in an item texts stand.
    enum Family {
        CONTENT("content part", "content_index"),
        SUMMARY("summary part", "summary_index"),
        COMMAND("command", "command_index"),
        /// One text, a member of the item; nothing opens it.
        MEMBER("text", "");

        private final String words;
        private final String index;

        Family(String words, String index) {
            this.words = words;
            this.index = index;
        }

        String words() {
            return words;
        }

        /// The member of events that says which; empty where there is only one.
        String index() {
            return index;
        }
    }
}
