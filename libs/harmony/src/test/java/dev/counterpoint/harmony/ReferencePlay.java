package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.HarmonyEvent.TextDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One parse case played by the strict or lenient parser, token by token.
final class ReferencePlay {
    private final Recording recording = new Recording();
    private final List<String> deltas = new ArrayList<>();
    private final List<Optional<MessageStarted>> openAfter = new ArrayList<>();
    private @Nullable String error;
    private int errorAt = -1;

    static ReferencePlay of(JsonNode row, Reference reference) {
        var mode = row.path("strict").asBoolean() ? ParserMode.STRICT : ParserMode.LENIENT;
        var role = WireConversations.text(row, "role");
        var parser = new HarmonyParser(mode, reference, role == null ? null : WireConversations.role(role));
        var play = new ReferencePlay();
        int at = 0;
        try {
            for (int token : ConformanceData.tokens(row.path("tokens"))) {
                play.feed(parser, token, at);
                at++;
            }
            if (row.path("process_eos").asBoolean()) {
                parser.finish(play.recording);
            }
        } catch (HarmonyFormatException e) {
            play.error = e.getMessage();
            play.errorAt = at;
        }
        return play;
    }

    private void feed(HarmonyParser parser, int token, int at) {
        int before = recording.events.size();
        parser.accept(token, recording);
        openAfter.add(parser.insideMessage() ? recording.lastStarted() : Optional.empty());
        var said = recording.events.subList(before, recording.events.size());
        // The references have no delta for what ends a message.
        if (said.stream().noneMatch(MessageEnded.class::isInstance)) {
            for (HarmonyEvent event : said) {
                if (event instanceof TextDelta(String text)) {
                    deltas.add(at + " " + text);
                }
            }
        }
    }

    boolean agrees(JsonNode row) {
        return Objects.equals(error, WireConversations.text(row, "error"))
                && (error == null || errorAt == row.path("error_at_token_index").asInt())
                && messages(row).equals(recording.messages)
                && deltas(row).equals(deltas)
                && tracesAgree(row.path("state_trace"));
    }

    private static List<ParsedMessage> messages(JsonNode row) {
        var messages = new ArrayList<ParsedMessage>();
        for (JsonNode message : row.path("messages_before_error_or_end")) {
            messages.add(new ParsedMessage(
                    WireConversations.author(message),
                    WireConversations.text(message, "channel"),
                    WireConversations.text(message, "recipient"),
                    WireConversations.text(message, "content_type"),
                    message.path("content").asText()));
        }
        return messages;
    }

    private static List<String> deltas(JsonNode row) {
        var deltas = new ArrayList<String>();
        row.path("deltas")
                .forEach(delta ->
                        deltas.add(delta.get(0).asInt() + " " + delta.get(1).asText()));
        return deltas;
    }

    /// The trace names a state after each token, and in content the header's members.
    private boolean tracesAgree(JsonNode trace) {
        for (int i = 0; i < Math.min(trace.size(), openAfter.size()); i++) {
            var state = trace.get(i);
            var open = openAfter.get(i).orElse(null);
            if (state.get(0).asText().equals("C") != (open != null)) {
                return false;
            }
            boolean same = open == null
                    || open.author().role().wireName().equals(state.get(1).asText())
                            && Objects.equals(open.channel(), textAt(state, 2))
                            && Objects.equals(open.recipient(), textAt(state, 3))
                            && Objects.equals(open.contentType(), textAt(state, 4));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String textAt(JsonNode array, int index) {
        return array.get(index).isTextual() ? array.get(index).asText() : null;
    }
}
