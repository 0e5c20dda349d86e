package dev.counterpoint.harmony;

import dev.counterpoint.harmony.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.HarmonyEvent.Repair;
import dev.counterpoint.harmony.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.HarmonyEvent.Stop;
import dev.counterpoint.harmony.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.HeaderDraft.Kind;
import dev.counterpoint.harmony.HeaderDraft.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Survives whatever a model writes. Control tokens are known by id alone; text that spells one is text.
///
/// Doubt is decided for secrecy: text becomes `final` only when a header says so, or when a stream without any markup,
/// or a message closed by `<|return|>`, leaves nothing else to think.
final class RobustParser implements ParserEngine {
    private static final List<String> HEADER_BEGINNINGS =
            List.of("assistant", "analysis", "commentary", "final", "to=");
    private static final int BEGINNING_LETTERS_MIN = 2;
    private static final String REPLACEMENT = "\uFFFD";

    private final Vocabulary vocabulary;
    /// A rendered prompt, as opposed to what a model wrote.
    private final boolean prompt;
    private final Utf8Stream body = new Utf8Stream(false);
    /// Null in a body and between messages.
    private @Nullable HeaderDraft header;
    private boolean inBody;
    private boolean ignoringText;

    RobustParser(Vocabulary vocabulary, @Nullable Role startRole) {
        this.vocabulary = vocabulary;
        this.prompt = startRole == null;
        this.header = startRole == null ? null : new HeaderDraft(Origin.STREAM_START, startRole);
    }

    @Override
    public boolean insideMessage() {
        return inBody;
    }

    @Override
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
                } else {
                    text(token, sink);
                }
            }
        }
    }

    @Override
    public void finish(Consumer<HarmonyEvent> sink) {
        if (inBody) {
            endBody(Stop.END_OF_STREAM, sink);
        } else if (header != null) {
            saveHeader(header, Stop.END_OF_STREAM, sink);
        }
    }

    private void start(Consumer<HarmonyEvent> sink) {
        if (inBody) {
            repaired(Repair.STOP_TOKEN_MISSING, sink);
            endBody(Stop.IMPLICIT, sink);
        } else if (header != null) {
            if (header.isBlank()) {
                repaired(Repair.ROLE_GUESSED, sink);
            } else {
                saveHeader(header, Stop.IMPLICIT, sink);
            }
        }
        open(new HeaderDraft(Origin.START_TOKEN, null));
    }

    private void channel(Consumer<HarmonyEvent> sink) {
        if (inBody) {
            repaired(Repair.STOP_TOKEN_MISSING, sink);
            endBody(Stop.IMPLICIT, sink);
        }
        if (header == null) {
            repaired(Repair.START_TOKEN_MISSING, sink);
            open(new HeaderDraft(Origin.CHANNEL_TOKEN, Role.ASSISTANT));
        }
        if (header != null) {
            header.open(Kind.CHANNEL);
        }
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
        if (header == null) {
            repaired(Repair.START_TOKEN_MISSING, sink);
            open(new HeaderDraft(Origin.CHANNEL_TOKEN, Role.ASSISTANT));
        }
        if (header != null) {
            var reading = HeaderReader.complete(header, prompt);
            beginBody(reading, fallbackChannel(reading), sink);
        }
    }

    private void stop(int token, Consumer<HarmonyEvent> sink) {
        var stop = ReferenceParser.stop(token);
        if (inBody) {
            endBody(stop, sink);
        } else if (header != null) {
            saveHeader(header, stop, sink);
        } else if (token != SpecialTokens.END_OF_TEXT) {
            repaired(Repair.CONTROL_TOKEN_IGNORED, sink);
        }
    }

    private void text(int token, Consumer<HarmonyEvent> sink) {
        boolean known = Vocabulary.contains(token);
        if (!known) {
            repaired(Repair.UNKNOWN_TOKEN, sink);
        }
        if (inBody) {
            emit(known ? bodyText(token) : body.flush() + REPLACEMENT, sink);
        } else if (!known) {
            return;
        } else if (header != null) {
            headerText(header, token, sink);
        } else {
            textBetween(token, sink);
        }
    }

    private String bodyText(int token) {
        return body.append(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token));
    }

    private void headerText(HeaderDraft draft, int token, Consumer<HarmonyEvent> sink) {
        if (!draft.isFull()) {
            draft.append(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token));
        }
        if (prompt || draft.origin == Origin.LOOSE_TEXT || !draft.isLong() && !draft.isFull()) {
            return;
        }
        var reading = HeaderReader.cut(draft);
        if (reading.channel() != null || draft.isFull()) {
            repaired(Repair.MESSAGE_TOKEN_MISSING, sink);
            beginBody(reading, Channels.ANALYSIS, sink);
            emit(reading.text(), sink);
        }
    }

    private void textBetween(int token, Consumer<HarmonyEvent> sink) {
        int start = vocabulary.start(token);
        int end = vocabulary.end(token);
        var word = new String(vocabulary.bytes(), start, end - start, StandardCharsets.UTF_8)
                .strip()
                .toLowerCase(Locale.ROOT);
        boolean begins = word.length() >= BEGINNING_LETTERS_MIN
                && HEADER_BEGINNINGS.stream().anyMatch(name -> name.startsWith(word) || word.startsWith(name));
        if (begins) {
            repaired(Repair.START_TOKEN_MISSING, sink);
            var draft = new HeaderDraft(Origin.LOOSE_TEXT, Role.ASSISTANT);
            draft.append(vocabulary.bytes(), start, end);
            open(draft);
        } else if (!word.isEmpty() && !ignoringText) {
            ignoringText = true;
            repaired(Repair.TEXT_BETWEEN_MESSAGES, sink);
        }
    }

    private void open(HeaderDraft draft) {
        header = draft;
        ignoringText = false;
    }

    private void beginBody(HeaderReader.Reading reading, @Nullable String fallback, Consumer<HarmonyEvent> sink) {
        header = null;
        inBody = true;
        reading.repairs().forEach(kind -> repaired(kind, sink));
        var channel = reading.channel();
        if (channel == null && fallback != null) {
            channel = fallback;
            repaired(Repair.CHANNEL_GUESSED, sink);
        }
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
        sink.accept(new MessageEnded(stop));
    }

    /// The header ended without `<|message|>`: its text was meant as the body.
    private void saveHeader(HeaderDraft draft, Stop stop, Consumer<HarmonyEvent> sink) {
        header = null;
        ignoringText = false;
        if (prompt || draft.origin == Origin.LOOSE_TEXT && !draft.hasChannelToken()) {
            repaired(prompt ? Repair.HEADER_CUT : Repair.TEXT_BETWEEN_MESSAGES, sink);
            return;
        }
        var reading = HeaderReader.cut(draft);
        boolean bareCall = reading.recipient() != null && stop == Stop.CALL;
        if (reading.text().isEmpty() && !bareCall) {
            repaired(Repair.HEADER_CUT, sink);
            return;
        }
        repaired(Repair.MESSAGE_TOKEN_MISSING, sink);
        var fallback = fallbackChannel(reading);
        if (Channels.ANALYSIS.equals(fallback) && !draft.hasChannelToken() && isAnswer(draft, stop)) {
            fallback = Channels.FINAL;
        }
        beginBody(reading, fallback, sink);
        emit(reading.text(), sink);
        endBody(stop, sink);
    }

    private static boolean isAnswer(HeaderDraft draft, Stop stop) {
        boolean wholeStream = draft.origin == Origin.STREAM_START && stop == Stop.END_OF_STREAM;
        return wholeStream || stop == Stop.RETURN;
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
