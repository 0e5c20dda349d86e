package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.TokenParser;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Stop;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The references' state machine (`StreamableParser`), strict or lenient.
///
/// One difference: the references append a message's unfinished last bytes, and a message saved from a header, without
/// a delta; here they are a delta, so that deltas always add up to the text.
public final class ReferenceParser implements TokenParser {
    private enum State {
        EXPECT_START,
        HEADER,
        CONTENT
    }

    private final Vocabulary vocabulary;
    private final ReferenceCodec reference;
    private final boolean lenient;
    private final HeaderTokens header;
    private final Utf8Stream content = new Utf8Stream(true);
    private State state;
    private @Nullable Role nextRole;
    /// An unknown id came: the rest of the content cannot be decoded.
    private boolean undecodable;

    public ReferenceParser(ReferenceCodec reference, boolean lenient, @Nullable Role startRole) {
        this.vocabulary = HarmonyTokenizer.shared().vocabulary();
        this.header = new HeaderTokens(vocabulary);
        this.reference = reference;
        this.lenient = lenient;
        this.nextRole = startRole;
        this.state = startRole == null ? State.EXPECT_START : State.HEADER;
    }

    @Override
    public boolean insideMessage() {
        return state == State.CONTENT;
    }

    public boolean insideHeader() {
        return state == State.HEADER;
    }

    /// The role of the next header, which therefore need not name one.
    @Nullable
    public Role waitingRole() {
        return nextRole;
    }

    @Override
    public void accept(int token, Consumer<HarmonyEvent> sink) {
        switch (state) {
            case EXPECT_START -> {
                if (token != SpecialTokens.START) {
                    throw new HarmonyFormatException("Unexpected token " + Integer.toUnsignedString(token)
                            + " while expecting start token " + SpecialTokens.START);
                }
                state = State.HEADER;
            }
            case HEADER -> {
                if (token == SpecialTokens.MESSAGE) {
                    endHeader(sink);
                } else if (lenient && SpecialTokens.isStop(token)) {
                    saveHeader(Stop.of(token), sink);
                } else {
                    header.add(token);
                }
            }
            case CONTENT -> {
                if (SpecialTokens.isStop(token)) {
                    endMessage(Stop.of(token), sink);
                } else {
                    appendContent(token, sink);
                }
            }
        }
    }

    @Override
    public void finish(Consumer<HarmonyEvent> sink) {
        switch (state) {
            case EXPECT_START -> {}
            case HEADER ->
                throw new HarmonyFormatException("Unexpected EOS while waiting for message header to complete");
            case CONTENT -> endMessage(Stop.END_OF_STREAM, sink);
        }
    }

    private void endHeader(Consumer<HarmonyEvent> sink) {
        // A caller that survives the error goes on at the next start token, with the role still waiting.
        state = State.EXPECT_START;
        var read = ReferenceHeader.of(takeHeader(), nextRole, reference);
        nextRole = null;
        state = State.CONTENT;
        sink.accept(new MessageStarted(read.author(), read.channel(), read.recipient(), read.contentType()));
    }

    private String takeHeader() {
        try {
            return header.text();
        } catch (HarmonyFormatException e) {
            throw new HarmonyFormatException("could not decode header", e);
        } finally {
            header.clear();
        }
    }

    private void saveHeader(Stop stop, Consumer<HarmonyEvent> sink) {
        if (nextRole != null && !header.isEmpty()) {
            // Here an error leaves the header open.
            var read = ReferenceHeader.cut(header.text(), nextRole, reference);
            sink.accept(new MessageStarted(read.author(), read.channel(), null, null));
            emit(read.leftover(), sink);
            sink.accept(new MessageEnded(stop));
        }
        header.clear();
        nextRole = null;
        state = State.EXPECT_START;
    }

    private void appendContent(int token, Consumer<HarmonyEvent> sink) {
        if (!Vocabulary.contains(token)) {
            undecodable = true;
        }
        if (!undecodable) {
            emit(content.append(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token)), sink);
        }
    }

    private void endMessage(Stop stop, Consumer<HarmonyEvent> sink) {
        var rest = content.flush();
        emit(undecodable ? "\uFFFD" + rest : rest, sink);
        undecodable = false;
        state = State.EXPECT_START;
        sink.accept(new MessageEnded(stop));
    }

    private static void emit(String text, Consumer<HarmonyEvent> sink) {
        if (!text.isEmpty()) {
            sink.accept(new TextDelta(text));
        }
    }
}
