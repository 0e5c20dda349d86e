package dev.counterpoint.harmony;

import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyFormatException;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.parse.ReferenceParser;
import dev.counterpoint.harmony.render.ReferenceCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A stream through the strict or lenient parser, told as the references' streaming parser tells it.
final class ReferenceView {
    /// What was said at a token; the end of the stream counts as one more token.
    record Said(int at, String text) {}

    final List<Said> deltas = new ArrayList<>();
    final List<Said> errors = new ArrayList<>();
    /// After each token: E, H or C (start expected, header, content), role, channel, recipient and content type.
    final List<List<@Nullable String>> states = new ArrayList<>();
    private final Recording recording = new Recording();
    private final ReferenceParser parser;
    private int at;

    ReferenceView(ReferenceCodec reference, boolean strict, @Nullable String startRole) {
        var role = startRole == null ? null : WireConversations.role(startRole);
        parser = new ReferenceParser(reference, !strict, role);
    }

    /// Whether the parser took it; after an error the stream may go on.
    boolean accept(int token) {
        boolean taken = step(sink -> parser.accept(token, sink));
        states.add(state());
        at++;
        return taken;
    }

    boolean finish() {
        return step(parser::finish);
    }

    List<ParsedMessage> messages() {
        return recording.messages;
    }

    private boolean step(Consumer<Consumer<HarmonyEvent>> move) {
        int before = recording.events.size();
        try {
            move.accept(recording);
        } catch (HarmonyFormatException e) {
            errors.add(new Said(at, String.valueOf(e.getMessage())));
            return false;
        }
        var said = recording.events.subList(before, recording.events.size());
        // The one rule of difference: what is left when a message ends, and a message saved from a header, are a
        // delta of ours, so that deltas add up to the text. The references only put them into the message.
        if (said.stream().noneMatch(MessageEnded.class::isInstance)) {
            for (HarmonyEvent event : said) {
                if (event instanceof TextDelta delta) {
                    deltas.add(new Said(at, delta.text()));
                }
            }
        }
        return true;
    }

    private List<@Nullable String> state() {
        if (parser.insideMessage()) {
            var open = recording.lastStarted().orElseThrow();
            return Arrays.asList(
                    "C", open.author().role().wireName(), open.channel(), open.recipient(), open.contentType());
        }
        var waiting = parser.waitingRole();
        return Arrays.asList(
                parser.insideHeader() ? "H" : "E", waiting == null ? null : waiting.wireName(), null, null, null);
    }
}
