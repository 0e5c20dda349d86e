package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
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
        var end = new End(finish, inputTokens, 0, outputTokens, reasoningTokens, endedAtMillis);
        return BusProto.Trace.newBuilder()
                .setVersion(VERSION)
                .setEnd(Wire.parse(BusProto.End.parser(), end.encode()))
                .addAllSegments(segments.stream().map(Trace::encode).toList())
                .build()
                .toByteArray();
    }

    private static BusProto.Trace.Segment encode(Segment segment) {
        var out = BusProto.Trace.Segment.newBuilder()
                .setMessage(segment.message)
                .setChannelBytes(Wire.text(segment.channel))
                .setTextBytes(Wire.text(segment.text));
        if (segment.recipient != null) {
            out.setRecipientBytes(Wire.text(segment.recipient));
        }
        return out.build();
    }

    public static Trace decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Trace.parser(), bytes, VERSION);
        var end = End.decode(in.getEnd().toByteArray());
        return new Trace(
                end.finish(),
                end.inputTokens(),
                end.outputTokens(),
                end.reasoningTokens(),
                end.endedAtMillis(),
                in.getSegmentsList().stream().map(Trace::segment).toList());
    }

    private static Segment segment(BusProto.Trace.Segment in) {
        return new Segment(
                Wire.small(in.getMessage()),
                in.getChannel(),
                in.hasRecipient() ? in.getRecipient() : null,
                in.getText());
    }
}
