package dev.counterpoint.engine.template;

/// A template cannot be parsed, refuses the conversation, or exceeds its bounds. The message has the template's name,
/// the line where it is known, and the reason; it holds nothing of a conversation.
public final class TemplateRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TemplateRefusedException(String name, String reason) {
        super("chat template " + name + ": " + reason);
    }
}
