package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// How a model is told to think or not to.
///
/// @param on what a request says for thinking
/// @param off what a request says against it
/// @param effort whether the model takes `reasoning_effort`
public record ThinkingSwitch(Setting on, Setting off, boolean effort) {
    /// The member of a request with arguments of the chat template.
    public static final String ARGUMENTS = "chat_template_kwargs";

    /// The model cannot be told.
    public static final ThinkingSwitch NONE = new ThinkingSwitch(Setting.NONE, Setting.NONE, false);

    /// What a request says for it.
    ///
    /// @param members of the request's body, such as `chat_template_kwargs`; must not be changed
    /// @param line at the end of the system message; empty for none
    public record Setting(ObjectNode members, String line) {
        /// Nothing is said.
        public static final Setting NONE = new Setting(JsonNodeFactory.instance.objectNode(), "");

        /// True if there is nothing to say: the model cannot be told.
        public boolean isEmpty() {
            return members.isEmpty() && line.isEmpty();
        }
    }
}
