package dev.counterpoint.harmony.render;

import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Content.Text;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes conversations as token ids. Thread-safe.
///
/// Every piece (role, recipient, channel, content type, content part) is tokenised on its own, as the
/// references do: token boundaries follow the pieces, and nothing a user wrote can become a control
/// token. Messages that the model sampled keep its own tokens. Tokens of long texts are kept for the next prompt:
/// of system and developer messages for everybody, of all others for their owner.
public final class HarmonyRenderer {
    private static final String MARKER = "<|constrain|>";
    private static final String EVERYBODY = "all";
    private static final String EVERYBODYS = "";
    private static final int TOKENS_PER_MESSAGE = 64;
    /// 4 MiB of tokens: the beginnings of forty agents, or the whole text of fifteen long conversations.
    private static final int CACHED_TOKENS_MAX = 1 << 20;

    private final HarmonyTokenizer tokenizer;
    private final RenderOptions options;
    private final Sections sections;
    private final TokenCache cache = new TokenCache(CACHED_TOKENS_MAX);

    public HarmonyRenderer(HarmonyTokenizer tokenizer, RenderOptions options) {
        this.tokenizer = tokenizer;
        this.options = options;
        this.sections = new Sections(options.reference());
    }

    /// The conversation, and then the beginning of the next message: `<|start|>` and the role.
    ///
    /// @throws IllegalArgumentException for a tool without a name, or for content in a message of the
    ///     wrong role
    public int[] renderForCompletion(Conversation conversation, Role next) {
        return renderForCompletion(conversation, next, null);
    }

    /// @param owner owner whose later prompts are likely to repeat the same texts; null for none
    public int[] renderForCompletion(Conversation conversation, Role next, @Nullable String owner) {
        var out = renderMessages(conversation, owner);
        out.add(SpecialTokens.START);
        tokenizer.encode(next.wireName(), out);
        return out.toArray();
    }

    /// The conversation alone; every message is closed.
    ///
    /// @throws IllegalArgumentException as {@link #renderForCompletion}
    public int[] render(Conversation conversation) {
        return renderMessages(conversation, null).toArray();
    }

    private TokenBuffer renderMessages(Conversation conversation, @Nullable String owner) {
        var messages = conversation.messages();
        var kept = ReasoningDropper.of(options.dropRule(), messages);
        boolean hasFunctions = hasFunctions(messages);
        var out = new TokenBuffer(kept.size() * TOKENS_PER_MESSAGE);
        for (Message message : kept) {
            out.add(SpecialTokens.START);
            tokenizer.encode(authorWord(message.author()), out);
            var spelling = message.spelling();
            if (spelling != null) {
                spelling.writeHeader(out);
                out.add(SpecialTokens.MESSAGE);
                spelling.writeBody(out);
            } else {
                renderHeader(message, out);
                out.add(SpecialTokens.MESSAGE);
                var role = message.author().role();
                boolean shared = role == Role.SYSTEM || role == Role.DEVELOPER;
                for (Content part : message.content()) {
                    encode(shared ? EVERYBODYS : owner, textOf(part, role, hasFunctions), out);
                }
            }
            boolean call = message.author().role() == Role.ASSISTANT && message.recipient() != null;
            out.add(call ? SpecialTokens.CALL : SpecialTokens.END);
        }
        return out;
    }

    private void encode(@Nullable String owner, String text, TokenBuffer out) {
        if (owner == null) {
            tokenizer.encode(text, out);
        } else {
            cache.encode(owner, text, tokenizer, out);
        }
    }

    private void renderHeader(Message message, TokenBuffer out) {
        boolean channelFirst =
                options.reference() == ReferenceCodec.OSS_0_0_11 && Channels.COMMENTARY.equals(message.channel());
        if (channelFirst) {
            renderChannel(message, out);
            renderRecipient(message, out);
        } else {
            renderRecipient(message, out);
            renderChannel(message, out);
        }
        renderContentType(message, out);
    }

    private void renderChannel(Message message, TokenBuffer out) {
        if (message.channel() != null) {
            out.add(SpecialTokens.CHANNEL);
            tokenizer.encode(message.channel(), out);
        }
    }

    private void renderRecipient(Message message, TokenBuffer out) {
        if (message.recipient() != null && !message.recipient().equals(EVERYBODY)) {
            tokenizer.encode(" to=" + message.recipient(), out);
        }
    }

    private void renderContentType(Message message, TokenBuffer out) {
        var type = message.contentType();
        if (type == null) {
            return;
        }
        boolean marked = type.startsWith(MARKER);
        if (marked || options.reference() == ReferenceCodec.OSS_0_0_11) {
            tokenizer.encode(" ", out);
            out.add(SpecialTokens.CONSTRAIN);
            tokenizer.encode(marked ? type.substring(MARKER.length()) : type, out);
        } else {
            tokenizer.encode(" " + type, out);
        }
    }

    private static String authorWord(Author author) {
        var name = author.name();
        if (author.role() == Role.TOOL) {
            if (name == null) {
                throw new IllegalArgumentException("Tools should have a name!");
            }
            return name;
        }
        return name == null ? author.role().wireName() : author.role().wireName() + ":" + name;
    }

    private String textOf(Content part, Role role, boolean hasFunctions) {
        return switch (part) {
            case Text(String text) -> text;
            case SystemContent content -> {
                requireRole(role, Role.SYSTEM, "SystemContent may only appear in system messages");
                yield sections.of(content, hasFunctions);
            }
            case DeveloperContent content -> {
                requireRole(role, Role.DEVELOPER, "DeveloperContent may only appear in developer messages");
                yield sections.of(content);
            }
        };
    }

    private static void requireRole(Role role, Role required, String message) {
        if (role != required) {
            var found = role.wireName();
            throw new IllegalArgumentException(
                    message + ", found in " + Character.toUpperCase(found.charAt(0)) + found.substring(1));
        }
    }

    /// Whether any developer message offers functions: the system message then says where calls go.
    private static boolean hasFunctions(List<Message> messages) {
        return messages.stream()
                .flatMap(message -> message.content().stream())
                .anyMatch(part -> part instanceof DeveloperContent developer
                        && developer.tools().stream().anyMatch(HarmonyRenderer::offersFunctions));
    }

    private static boolean offersFunctions(ToolNamespace namespace) {
        return namespace.name().equals(ToolNamespace.FUNCTIONS)
                && !namespace.tools().isEmpty();
    }
}
