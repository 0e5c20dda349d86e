package dev.counterpoint.harmony;

import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.Stop;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Feeds a parser and keeps all it says; fails when the events are out of order.
public final class Recording implements Consumer<HarmonyEvent> {
    public final List<HarmonyEvent> events = new ArrayList<>();
    public final List<ParsedMessage> messages = new ArrayList<>();
    public final List<Stop> stops = new ArrayList<>();
    public final List<Repair> repairs = new ArrayList<>();
    private @Nullable MessageStarted open;
    private final StringBuilder text = new StringBuilder();

    public static Recording of(HarmonyParser parser, int[] tokens) {
        return of(TokenParser.of(parser), tokens);
    }

    public static Recording of(TokenParser parser, int[] tokens) {
        var recording = new Recording();
        recording.take(parser, tokens);
        parser.finish(recording);
        recording.requireClosed();
        return recording;
    }

    void take(HarmonyParser parser, int[] tokens) {
        take(TokenParser.of(parser), tokens);
    }

    private void take(TokenParser parser, int[] tokens) {
        for (int token : tokens) {
            parser.accept(token, this);
            if (parser.insideMessage() != (open != null)) {
                throw new AssertionError("insideMessage() contradicts the events");
            }
        }
    }

    /// The text of the open message so far.
    String openText() {
        return text.toString();
    }

    void requireClosed() {
        if (open != null) {
            throw new AssertionError("message left open");
        }
    }

    /// The messages in one line each: `assistant commentary to=functions.f (json): {} CALL`.
    public List<String> lines() {
        return IntStream.range(0, messages.size())
                .mapToObj(i -> line(messages.get(i)) + " " + stops.get(i))
                .toList();
    }

    private static String line(ParsedMessage message) {
        return message.author().role().wireName()
                + (message.channel() == null ? "" : " " + message.channel())
                + (message.recipient() == null ? "" : " to=" + message.recipient())
                + (message.contentType() == null ? "" : " (" + message.contentType() + ")")
                + ": " + message.text();
    }

    /// What a user would see: the assistant's text that is neither reasoning nor addressed to a tool.
    String shown() {
        return messages.stream()
                .filter(message -> message.author().role() == Role.ASSISTANT)
                .filter(message -> message.recipient() == null && !Channels.ANALYSIS.equals(message.channel()))
                .map(ParsedMessage::text)
                .collect(Collectors.joining("|"));
    }

    Optional<MessageStarted> lastStarted() {
        return events.reversed().stream()
                .filter(MessageStarted.class::isInstance)
                .map(MessageStarted.class::cast)
                .findFirst();
    }

    @Override
    public void accept(HarmonyEvent event) {
        events.add(event);
        switch (event) {
            case MessageStarted started -> {
                if (open != null) {
                    throw new AssertionError("message inside a message");
                }
                open = started;
                text.setLength(0);
            }
            case TextDelta(String delta) -> {
                if (open == null || delta.isEmpty()) {
                    throw new AssertionError("delta outside a message, or empty");
                }
                if (Character.isLowSurrogate(delta.charAt(0))
                        || Character.isHighSurrogate(delta.charAt(delta.length() - 1))) {
                    throw new AssertionError("half a character");
                }
                text.append(delta);
            }
            case MessageEnded(Stop stop) -> {
                if (open == null) {
                    throw new AssertionError("end without a start");
                }
                messages.add(new ParsedMessage(
                        open.author(), open.channel(), open.recipient(), open.contentType(), text.toString()));
                stops.add(stop);
                open = null;
            }
            case Repaired(Repair kind) -> repairs.add(kind);
        }
    }
}
