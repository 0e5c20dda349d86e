package dev.counterpoint.engine.chat;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Writes a model's output as the tokens of a Harmony model, so all code behind an engine handles one form only.
/// Text never becomes a control token, whatever it spells. Pure apart from its own state; not thread-safe.
public final class HarmonyWriter {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final int[] ASSISTANT = TOKENIZER.encode(Role.ASSISTANT.wireName());
    private static final String JSON = "json";

    private final TokenBuffer tokens = new TokenBuffer(64);
    private @Nullable Open open;
    /// Something was said before the next message.
    private boolean begun;
    /// Bytes of the next character that were said before.
    private int saidBytes;
    /// The first half of a character.
    private String half = "";

    private record Open(
            String channel,
            @Nullable String recipient,
            @Nullable String contentType) {}

    /// @param prefix tokens of earlier output; the next output starts a new message
    HarmonyWriter(int[] prefix) {
        begun = prefix.length > 0;
        if (openAfter(prefix) != null) {
            tokens.add(SpecialTokens.END);
        }
    }

    /// One that continues the message that the prefix ends in.
    ///
    /// @param bytes of the character that the prefix ends within; 0 where it ends after one
    public static HarmonyWriter after(int[] prefix, int bytes) {
        var writer = new HarmonyWriter(new int[0]);
        writer.begun = prefix.length > 0;
        writer.saidBytes = bytes;
        writer.open = openAfter(prefix);
        return writer;
    }

    private static @Nullable Open openAfter(int[] prefix) {
        var parser = new HarmonyParser(Role.ASSISTANT);
        var open = new AtomicReference<Open>();
        Arrays.stream(prefix)
                .forEach(token -> parser.accept(token, event -> {
                    if (event instanceof HarmonyEvent.MessageStarted started) {
                        open.set(new Open(
                                String.valueOf(started.channel()), started.recipient(), started.contentType()));
                    }
                }));
        return parser.insideMessage() ? open.get() : null;
    }

    /// The functions that a job declares, as headers of calls name them.
    public static FunctionNames names(GenerationJob job) {
        return new FunctionNames(
                job.tools().stream().map(FunctionTool::name).toList(),
                job.tools().stream()
                        .filter(tool -> tool.input() != null)
                        .map(FunctionTool::name)
                        .toList());
    }

    /// Writes a piece into the open message if it fits there, otherwise into a new message.
    public void say(TextPiece piece) {
        var message = switch (piece.kind()) {
            case REASONING -> new Open(Channels.ANALYSIS, null, null);
            case ANSWER -> new Open(Channels.FINAL, null, null);
            case MORE -> new Open(Channels.FINAL, null, Delta.Header.EXTRA);
            case UNTOLD -> new Open(Channels.ANALYSIS, null, End.Reasoning.UNTOLD.contentType());
            case AFTERWARDS -> new Open(Channels.ANALYSIS, null, End.Reasoning.AFTERWARDS.contentType());
            case LATE -> new Open(Channels.ANALYSIS, null, End.Reasoning.LATE.contentType());
        };
        if (!message.equals(open)) {
            open(message);
        }
        text(piece.text());
    }

    /// Begins a call; its arguments follow.
    ///
    /// @param recipient as in a Harmony header
    /// @param plain whether text follows that is no JSON
    public void call(String recipient, boolean plain) {
        open(new Open(Channels.COMMENTARY, recipient, plain ? null : JSON));
    }

    /// Ends the output: where nothing was said, by an empty answer.
    public void end() {
        if (open == null) {
            open(new Open(Channels.FINAL, null, null));
        }
        flushHalf();
        tokens.add(open != null && open.recipient != null ? SpecialTokens.CALL : SpecialTokens.RETURN);
    }

    /// The tokens since the last time.
    public int[] take() {
        return tokens.take();
    }

    private void open(Open message) {
        flushHalf();
        if (open != null) {
            tokens.add(SpecialTokens.END);
        }
        if (begun) {
            tokens.add(SpecialTokens.START);
            tokens.addAll(ASSISTANT);
        }
        begun = true;
        open = message;
        tokens.add(SpecialTokens.CHANNEL);
        tokens.addAll(TOKENIZER.encode(
                message.recipient == null ? message.channel : message.channel + " to=" + message.recipient + " "));
        if (message.contentType != null) {
            tokens.add(SpecialTokens.CONSTRAIN);
            tokens.addAll(TOKENIZER.encode(message.contentType));
        }
        tokens.add(SpecialTokens.MESSAGE);
    }

    /// More of the message that is open, such as a call's arguments.
    public void text(String more) {
        var text = half + more;
        half = "";
        int length = text.length();
        if (length > 0 && Character.isHighSurrogate(text.charAt(length - 1))) {
            length--;
            half = text.substring(length);
        }
        var whole = text.substring(0, length);
        tokens.addAll(TOKENIZER.encode(saidBytes == 0 ? whole : afterFirst(whole)));
    }

    private String afterFirst(String text) {
        int first = text.isEmpty() ? 0 : Character.charCount(text.codePointAt(0));
        byte[] bytes = text.substring(0, first).getBytes(StandardCharsets.UTF_8);
        for (int i = saidBytes; i < bytes.length; i++) {
            tokens.add(TOKENIZER.vocabulary().find(bytes[i]));
        }
        saidBytes = first == 0 ? saidBytes : 0;
        return text.substring(first);
    }

    private void flushHalf() {
        tokens.addAll(TOKENIZER.encode(half));
        half = "";
    }
}
