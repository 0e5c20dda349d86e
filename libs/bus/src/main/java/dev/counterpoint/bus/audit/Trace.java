package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The raw reasoning of a response that a worker ended: the content of a [TraceRecord.Whole], sealed to the audit
/// service.
///
/// It holds the reasoning lane and nothing else: analysis, and calls that the model made within it. It holds no
/// prompt, no answer, and no tool result.
///
/// @param finish why the model stopped
/// @param inputTokens of the rendered prompt
/// @param outputTokens of the whole answer, over all attempts, control tokens included
/// @param reasoningTokens of these, in the reasoning lane
/// @param endedAtMillis milliseconds since 1970 by the worker's clock
/// @param segments the messages of the reasoning lane, in order; empty when the model did not reason
public record Trace(
        End.Finish finish,
        int inputTokens,
        int outputTokens,
        int reasoningTokens,
        long endedAtMillis,
        List<Segment> segments) {
    private static final int VERSION = 1;

    public Trace {
        segments = List.copyOf(segments);
    }

    /// One message of the reasoning lane.
    ///
    /// @param message its ordinal over the whole response, from 0
    /// @param channel as the model named it, mostly `analysis`
    /// @param recipient the tool it calls, or null
    /// @param text what it says
    public record Segment(
            int message, String channel, @Nullable String recipient, String text) {
        /// Tells no content.
        @Override
        public String toString() {
            return "Segment[message=%d, characters=%d]".formatted(message, text.length());
        }
    }

    /// What a sealed trace is bound to.
    public static String context(String tenant, ResponseId response) {
        return "audit-trace|" + tenant + "|" + response;
    }

    /// Tells no content.
    @Override
    public String toString() {
        return "Trace[finish=%s, segments=%d, reasoningTokens=%d]".formatted(finish, segments.size(), reasoningTokens);
    }

    /// How it ended is written as the `END` frame writes it, so that reasons have one list of numbers.
    public byte[] encode() {
        var out = new Fields.Writer()
                .number(1, VERSION)
                .bytes(2, new End(finish, inputTokens, 0, outputTokens, reasoningTokens, endedAtMillis).encode());
        segments.forEach(segment -> out.message(
                3,
                inner -> inner.number(1, segment.message)
                        .text(2, segment.channel)
                        .text(3, segment.recipient)
                        .text(4, segment.text)));
        return out.toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no trace, or of a newer major version
    public static Trace decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        var end = new End(End.Finish.FAILED, 0, 0, 0, 0, 0);
        var segments = new ArrayList<Segment>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> end = End.decode(in.bytes());
                case 3 -> segments.add(decodeSegment(in.bytes()));
                default -> in.skip();
            }
        }
        if (version != VERSION) {
            throw new MalformedMessageException("not a trace of version " + VERSION);
        }
        return new Trace(
                end.finish(),
                end.inputTokens(),
                end.outputTokens(),
                end.reasoningTokens(),
                end.endedAtMillis(),
                segments);
    }

    private static Segment decodeSegment(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int message = 0;
        var channel = "";
        @Nullable String recipient = null;
        var text = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> message = in.small();
                case 2 -> channel = in.text();
                case 3 -> recipient = in.text();
                case 4 -> text = in.text();
                default -> in.skip();
            }
        }
        return new Segment(message, channel, recipient, text);
    }
}
