package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
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
    /// @param text the content of the message
    public record Segment(
            int message, String channel, @Nullable String recipient, String text) {
        /// Tells no content.
        @Override
        public String toString() {
            return "Segment[message=%d, characters=%d]".formatted(message, text.length());
        }
    }

    /// The context that a sealed trace is bound to.
    public static String context(String tenant, ResponseId response) {
        return "audit-trace|" + tenant + "|" + response;
    }

    /// Tells no content.
    @Override
    public String toString() {
        return "Trace[finish=%s, segments=%d, reasoningTokens=%d]".formatted(finish, segments.size(), reasoningTokens);
    }

    /// Writes the ending as an `END` frame does, so that its reasons have one list of numbers.
    public byte[] encode() {
        return new FieldWriter()
                .number(1, VERSION)
                .bytes(2, new End(finish, inputTokens, 0, outputTokens, reasoningTokens, endedAtMillis).encode())
                .messages(3, segments, Trace::encode)
                .toBytes();
    }

    private static void encode(FieldWriter out, Segment segment) {
        out.number(1, segment.message)
                .text(2, segment.channel)
                .text(3, segment.recipient)
                .text(4, segment.text);
    }

    /// @throws MalformedMessageException for bytes that are no trace, or of a newer major version
    public static Trace decode(byte[] bytes) {
        var in = new FieldReader(bytes, VERSION);
        var end = End.decode(in.bytes(2));
        return new Trace(
                end.finish(),
                end.inputTokens(),
                end.outputTokens(),
                end.reasoningTokens(),
                end.endedAtMillis(),
                in.messages(3, Trace::segment));
    }

    private static Segment segment(FieldReader in) {
        return new Segment(in.small(1), in.text(2), in.textOrNull(3), in.text(4));
    }
}
