package dev.counterpoint.harmony;

import dev.counterpoint.harmony.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.HarmonyEvent.TextDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads one stream of token ids, one id at a time. Not thread-safe; one instance per stream.
///
/// In {@link ParserMode#ROBUST} no sequence of ids makes it throw, text comes out as soon as its characters are whole,
/// and what a stream holds is out after {@link #finish}. A model can pretend to be somebody else: check the author.
public final class HarmonyParser {
    private final ParserEngine engine;

    /// @param startRole whose header the prompt already began, so that the stream goes on inside it: ASSISTANT when the
    ///     prompt ended in `<|start|>assistant`. Null for a stream that begins with `<|start|>`, such as a prompt.
    public HarmonyParser(ParserMode mode, @Nullable Role startRole) {
        this(mode, Reference.OSS_0_0_11, startRole);
    }

    /// @param reference whose quirks STRICT and LENIENT reproduce; ROBUST has none
    public HarmonyParser(ParserMode mode, Reference reference, @Nullable Role startRole) {
        var vocabulary = HarmonyTokenizer.shared().vocabulary();
        engine = switch (mode) {
            case STRICT -> new ReferenceParser(vocabulary, reference, false, startRole);
            case LENIENT -> new ReferenceParser(vocabulary, reference, true, startRole);
            case ROBUST -> new RobustParser(vocabulary, startRole);
        };
    }

    /// Takes the next token; what it completes goes to the sink before this returns.
    ///
    /// @throws HarmonyFormatException never in ROBUST
    public void accept(int token, Consumer<HarmonyEvent> sink) {
        engine.accept(token, sink);
    }

    /// The stream is over: closes the open message. May come at any time and again; tokens after it are read as between
    /// two messages.
    ///
    /// @throws HarmonyFormatException when the stream ended inside a header; never in ROBUST
    public void finish(Consumer<HarmonyEvent> sink) {
        engine.finish(sink);
    }

    /// The stream was cut off, by a limit or a cancellation: as {@link #finish}, but in ROBUST a text without any
    /// header
    /// counts as analysis and not as an answer, because models think without a header, too.
    ///
    /// @throws HarmonyFormatException as finish
    public void cutOff(Consumer<HarmonyEvent> sink) {
        engine.cutOff(sink);
    }

    /// Whether the next token belongs to a message's body, as opposed to a header or the space between messages.
    public boolean insideMessage() {
        return engine.insideMessage();
    }

    /// Turns a rendered prompt back into its messages. Never throws. An unfinished header at the end, such as
    /// `<|start|>assistant`, makes no message; channels come as written, and null where there was none.
    public static List<ParsedMessage> parsePrompt(int[] tokens) {
        var parser = new HarmonyParser(ParserMode.ROBUST, null);
        var messages = new MessageCollector();
        for (int token : tokens) {
            parser.accept(token, messages);
        }
        parser.finish(messages);
        return messages.messages;
    }

    private static final class MessageCollector implements Consumer<HarmonyEvent> {
        final List<ParsedMessage> messages = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private @Nullable MessageStarted open;

        @Override
        public void accept(HarmonyEvent event) {
            switch (event) {
                case MessageStarted started -> {
                    open = started;
                    text.setLength(0);
                }
                case TextDelta(String delta) -> text.append(delta);
                case MessageEnded _ -> {
                    if (open != null) {
                        messages.add(new ParsedMessage(
                                open.author(), open.channel(), open.recipient(), open.contentType(), text.toString()));
                    }
                }
                case Repaired _ -> {}
            }
        }
    }
}
