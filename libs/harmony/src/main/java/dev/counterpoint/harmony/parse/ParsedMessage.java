package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Author;
import org.jspecify.annotations.Nullable;

/// A whole message as the parser read it from tokens.
public record ParsedMessage(
        Author author,
        @Nullable String channel,
        @Nullable String recipient,
        @Nullable String contentType,
        String text) {
    /// Without the text, which may be reasoning.
    @Override
    public String toString() {
        return "ParsedMessage[" + author + ", channel=" + channel + ", recipient=" + recipient + ", contentType="
                + contentType + ", " + text.length() + " chars]";
    }
}
