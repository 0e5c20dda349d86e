package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// How a request turns a model's thinking on or off.
///
/// @param on setting of a request that turns thinking on
/// @param off setting of a request that turns thinking off
/// @param effort whether the model accepts `reasoning_effort`
public record ThinkingSwitch(Setting on, Setting off, boolean effort) {
    /// The member of a request with arguments of the chat template.
    public static final String ARGUMENTS = "chat_template_kwargs";

    /// A request cannot switch the model's thinking.
    public static final ThinkingSwitch NONE = new ThinkingSwitch(Setting.NONE, Setting.NONE, false);

    /// One setting of a request.
    ///
    /// @param members members of the request's body, such as `chat_template_kwargs`; must not be changed
    /// @param line last line of the system message; empty for none
    public record Setting(ObjectNode members, String line) {
        /// A setting without content.
        public static final Setting NONE = new Setting(JsonNodeFactory.instance.objectNode(), "");

        /// True if the setting has no content: a request cannot switch the model's thinking.
        public boolean isEmpty() {
            return members.isEmpty() && line.isEmpty();
        }
    }
}
