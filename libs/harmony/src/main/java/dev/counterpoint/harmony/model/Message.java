package dev.counterpoint.harmony.model;

import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Content.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One message of a conversation. An assistant message with a recipient is a call, and its text the
/// arguments.
///
/// @param spelling how the model spelled it; null for a message that came from elsewhere
public record Message(
        Author author,
        @Nullable String recipient,
        @Nullable String channel,
        @Nullable String contentType,
        List<Content> content,
        @Nullable SampledSpelling spelling) {
    public Message {
        content = List.copyOf(content);
    }

    public Message(
            Author author,
            @Nullable String recipient,
            @Nullable String channel,
            @Nullable String contentType,
            List<Content> content) {
        this(author, recipient, channel, contentType, content, null);
    }

    /// The same header as the model spelled it, with another text.
    public Message withText(String text) {
        var spelled = spelling == null || text.equals(text()) ? spelling : spelling.withBody(text);
        return new Message(author, recipient, channel, contentType, List.of(new Text(text)), spelled);
    }

    /// The same message as if the model had not sampled it, on another channel.
    public Message rewritten(@Nullable String onChannel) {
        return new Message(author, recipient, onChannel, contentType, content);
    }

    public static Message system(SystemContent content) {
        return new Message(Author.of(Role.SYSTEM), null, null, null, List.of(content));
    }

    public static Message developer(DeveloperContent content) {
        return new Message(Author.of(Role.DEVELOPER), null, null, null, List.of(content));
    }

    public static Message user(String text) {
        return new Message(Author.of(Role.USER), null, null, null, List.of(new Text(text)));
    }

    /// What the assistant said or thought on a channel of {@link Channels}.
    public static Message assistant(String channel, String text) {
        return new Message(Author.of(Role.ASSISTANT), null, channel, null, List.of(new Text(text)));
    }

    /// A tool call as `to=recipient` (`functions.get_weather`); the content type is usually `json`, or
    /// null.
    public static Message call(String recipient, String channel, @Nullable String contentType, String arguments) {
        return new Message(Author.of(Role.ASSISTANT), recipient, channel, contentType, List.of(new Text(arguments)));
    }

    /// What a tool (`functions.get_weather`) answered to the assistant, on commentary.
    public static Message toolResult(String name, String output) {
        return new Message(Author.tool(name), "assistant", Channels.COMMENTARY, null, List.of(new Text(output)));
    }

    /// The text parts, joined; system and developer content has none.
    public String text() {
        var text = new StringBuilder();
        for (Content part : content) {
            if (part instanceof Text(String value)) {
                text.append(value);
            }
        }
        return text.toString();
    }
}
