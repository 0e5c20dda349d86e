package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.Stop;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HeaderDraft.Kind;
import dev.counterpoint.harmony.parse.HeaderDraft.Origin;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads one stream of token ids, one id at a time, whatever a model writes. Not thread-safe; one instance per stream.
///
/// No sequence of ids makes the parser throw. Text comes out as soon as its characters are whole, and everything that a
/// stream holds is out after {@link #finish}. Control tokens are known by id alone; text that spells one is text. A
/// model can pretend to be somebody else: check the author.
///
/// Doubt is decided for secrecy: text becomes `final` only when a header says so, or when a stream without any markup,
/// or a message closed by `<|return|>`, leaves nothing else to think.
public final class HarmonyParser {
    private static final String REPLACEMENT = "\uFFFD";

    private final Vocabulary vocabulary;
    private final TokenTexts texts = TokenTexts.shared();
    /// A rendered prompt, as opposed to what a model wrote.
    private final boolean prompt;
    private final Utf8Stream body = new Utf8Stream(false);
    /// Null in a body, and between messages as long as nothing was said.
    private @Nullable HeaderDraft header;
    private boolean inBody;
    /// The last token ended within a character.
    private boolean inCharacter;
    /// The last message was reasoning: an answer is still to come.
    private boolean answerDue;

    /// @param startRole whose header the prompt already began, so that the stream goes on inside it: ASSISTANT when the
    ///     prompt ended in `<|start|>assistant`. Null for a stream that begins with `<|start|>`, such as a prompt.
    public HarmonyParser(@Nullable Role startRole) {
        this.vocabulary = HarmonyTokenizer.shared().vocabulary();
        this.prompt = startRole == null;
        this.header = startRole == null ? null : new HeaderDraft(Origin.STREAM_START, startRole);
    }

    /// The stream continues behind a prompt of its own, which began the header of this role.
    public void begin(Role role) {
        header = new HeaderDraft(Origin.STREAM_START, role);
    }

    /// Turns a rendered prompt back into its messages. Never throws. An unfinished header at the end, such as
    /// `<|start|>assistant`, makes no message; channels come as written, and null where there was none.
    public static List<ParsedMessage> parsePrompt(int[] tokens) {
        var parser = new HarmonyParser(null);
        var messages = new PromptMessages();
        for (int token : tokens) {
            parser.accept(token, messages);
        }
        parser.finish(messages);
        return messages.messages;
    }

    /// Whether the next token belongs to a message's body, as opposed to a header or the space between messages.
    public boolean insideMessage() {
        return inBody;
    }

    /// Takes the next token; what it completes goes to the sink before this returns.
    public void accept(int token, Consumer<HarmonyEvent> sink) {
        switch (token) {
            case SpecialTokens.START -> start(sink);
            case SpecialTokens.CHANNEL -> channel(sink);
            case SpecialTokens.CONSTRAIN -> constrain(sink);
            case SpecialTokens.MESSAGE -> message(sink);
            case SpecialTokens.END, SpecialTokens.CALL, SpecialTokens.RETURN, SpecialTokens.END_OF_TEXT ->
                stop(token, sink);
            default -> {
                if (SpecialTokens.isSpecial(token)) {
                    repaired(Repair.CONTROL_TOKEN_IGNORED, sink);
                } else if (!Vocabulary.contains(token)) {
                    unknown(sink);
                } else if (inBody) {
                    bodyText(token, sink);
                } else {
                    headerText(token, sink);
                }
            }
        }
    }

    /// The stream is over: closes the open message. May come at any time and again; tokens after it are read as between
    /// two messages.
    public void finish(Consumer<HarmonyEvent> sink) {
        end(Stop.END_OF_STREAM, true, sink);
    }

    /// The stream was cut off, by a limit or a cancellation: as {@link #finish}, but a text without any header
    /// counts as analysis and not as an answer, because models think without a header, too.
    public void cutOff(Consumer<HarmonyEvent> sink) {
        end(Stop.END_OF_STREAM, false, sink);
    }

    private void start(Consumer<HarmonyEvent> sink) {
        implicitEnd(sink);
        if (header != null && !header.isBlank()) {
            saveHeader(header, Stop.IMPLICIT, false, sink);
        } else if (header != null && header.origin != Origin.BETWEEN) {
            repaired(Repair.ROLE_GUESSED, sink);
        }
        header = new HeaderDraft(Origin.START_TOKEN, null);
    }

    private void channel(Consumer<HarmonyEvent> sink) {
        implicitEnd(sink);
        opened(sink).open(Kind.CHANNEL);
    }

    private void constrain(Consumer<HarmonyEvent> sink) {
        if (header == null) {
            repaired(Repair.CONTROL_TOKEN_IGNORED, sink);
        } else {
            header.open(Kind.CONSTRAIN);
        }
    }

    private void message(Consumer<HarmonyEvent> sink) {
        if (inBody) {
            repaired(Repair.CONTROL_TOKEN_IGNORED, sink);
            return;
        }
        var reading = HeaderReader.complete(opened(sink), prompt);
        beginBody(reading, fallbackChannel(reading), sink);
    }

    private void stop(int token, Consumer<HarmonyEvent> sink) {
        if (!inBody && header == null && token != SpecialTokens.END_OF_TEXT) {
            repaired(Repair.CONTROL_TOKEN_IGNORED, sink);
        }
        end(Stop.of(token), true, sink);
    }

    /// @param meant whether the model wanted to end here
    private void end(Stop stop, boolean meant, Consumer<HarmonyEvent> sink) {
        if (inBody) {
            endBody(stop, sink);
        } else if (header != null) {
            saveHeader(header, stop, meant, sink);
        }
    }

    /// The next message begins inside this one's body.
    private void implicitEnd(Consumer<HarmonyEvent> sink) {
        if (inBody) {
            repaired(Repair.STOP_TOKEN_MISSING, sink);
            endBody(Stop.IMPLICIT, sink);
        }
    }

    /// The header under way, now known to be one.
    private HeaderDraft opened(Consumer<HarmonyEvent> sink) {
        if (header == null) {
            header = new HeaderDraft(Origin.BETWEEN, Role.ASSISTANT);
        }
        if (header.isLoose()) {
            repaired(Repair.START_TOKEN_MISSING, sink);
        }
        return header;
    }

    private void unknown(Consumer<HarmonyEvent> sink) {
        repaired(Repair.UNKNOWN_TOKEN, sink);
        if (inBody) {
            emit(body.flush() + REPLACEMENT, sink);
            inCharacter = false;
        }
    }

    private void bodyText(int token, Consumer<HarmonyEvent> sink) {
        var whole = texts.whole(token);
        if (whole == null || inCharacter) {
            emit(body.append(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token)), sink);
            inCharacter = whole == null;
        } else {
            sink.accept(whole);
        }
    }

    private void headerText(int token, Consumer<HarmonyEvent> sink) {
        if (header == null) {
            header = new HeaderDraft(Origin.BETWEEN, Role.ASSISTANT);
        }
        if (!header.isFull()) {
            header.append(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token));
        }
        if (prompt || header.isLoose() || !header.isLong() && !header.isFull()) {
            return;
        }
        // Arguments wait: only the end tells whether they are meant as such.
        var reading = HeaderReader.cut(header);
        if (header.isFull() || reading.channel() != null && reading.recipient() == null) {
            repaired(Repair.MESSAGE_TOKEN_MISSING, sink);
            reading = isArguments(reading) ? reading : asAnalysis(reading);
            beginBody(reading, Channels.ANALYSIS, sink);
            emit(reading.text(), sink);
        }
    }

    private void beginBody(HeaderReader.Reading reading, @Nullable String fallback, Consumer<HarmonyEvent> sink) {
        header = null;
        inBody = true;
        reading.repairs().forEach(kind -> repaired(kind, sink));
        var channel = reading.channel();
        if (channel == null && fallback != null) {
            channel = fallback;
            if (!reading.repairs().contains(Repair.CHANNEL_GUESSED)) {
                repaired(Repair.CHANNEL_GUESSED, sink);
            }
        }
        answerDue = Channels.ANALYSIS.equals(channel) && reading.recipient() == null;
        sink.accept(new MessageStarted(reading.author(), channel, reading.recipient(), reading.contentType()));
    }

    /// A model's message has a channel: without one, a call is commentary, and text is analysis.
    private @Nullable String fallbackChannel(HeaderReader.Reading reading) {
        if (prompt || reading.author().role() != Role.ASSISTANT) {
            return null;
        }
        return reading.recipient() != null ? Channels.COMMENTARY : Channels.ANALYSIS;
    }

    private void endBody(Stop stop, Consumer<HarmonyEvent> sink) {
        emit(body.flush(), sink);
        inBody = false;
        inCharacter = false;
        sink.accept(new MessageEnded(stop));
    }

    /// The header ended without `<|message|>`: its text was meant as the body.
    private void saveHeader(HeaderDraft draft, Stop stop, boolean meant, Consumer<HarmonyEvent> sink) {
        header = null;
        boolean answer = !draft.has(Kind.CHANNEL) && isAnswer(draft, stop, meant);
        if (draft.isLoose() && draft.isBlank()) {
            return;
        }
        if (draft.isLoose() && !answer) {
            repaired(Repair.TEXT_BETWEEN_MESSAGES, sink);
            return;
        }
        var reading = HeaderReader.cut(draft);
        boolean bareCall = reading.recipient() != null && stop == Stop.CALL;
        if (prompt || reading.text().isEmpty() && !bareCall) {
            repaired(Repair.HEADER_CUT, sink);
            return;
        }
        repaired(Repair.MESSAGE_TOKEN_MISSING, sink);
        if (stop != Stop.CALL && !isArguments(reading)) {
            reading = asAnalysis(reading);
        }
        boolean text = reading.author().role() == Role.ASSISTANT && reading.recipient() == null;
        beginBody(reading, text && answer ? Channels.FINAL : fallbackChannel(reading), sink);
        emit(reading.text(), sink);
        endBody(stop, sink);
    }

    /// Whether text without a header is the answer: a whole stream, or what the model closed by `<|return|>`.
    private boolean isAnswer(HeaderDraft draft, Stop stop, boolean meant) {
        return switch (draft.origin) {
            case STREAM_START -> meant && (stop == Stop.END_OF_STREAM || stop == Stop.RETURN);
            case START_TOKEN -> stop == Stop.RETURN;
            case BETWEEN -> stop == Stop.RETURN && answerDue;
        };
    }

    /// Models reason in headers of calls; only what looks like arguments goes to a tool.
    private static boolean isArguments(HeaderReader.Reading reading) {
        var text = reading.text();
        return reading.recipient() == null || text.isEmpty() || HeaderReader.TEXT_OPENERS.indexOf(text.charAt(0)) >= 0;
    }

    private static HeaderReader.Reading asAnalysis(HeaderReader.Reading reading) {
        return new HeaderReader.Reading(
                reading.author(), Channels.ANALYSIS, null, null, reading.text(), reading.repairs());
    }

    private static void emit(String text, Consumer<HarmonyEvent> sink) {
        if (!text.isEmpty()) {
            sink.accept(new TextDelta(text));
        }
    }

    private static void repaired(Repair kind, Consumer<HarmonyEvent> sink) {
        sink.accept(new Repaired(kind));
    }
}
