package dev.counterpoint.bus.audit;

import com.google.protobuf.ByteString;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.util.List;

/// One record of the topic `audit`, keyed by the response's id: the raw reasoning of one opted-in response, sealed to
/// the audit service. The worker appends a [Whole] before its `end`; when no worker ends the response, its owner
/// appends a [Partial]. Both may come, and each more than once: the audit service keeps the first.
///
/// @param response the response that the record is about
/// @param tenant bound into everything sealed below
/// @param key id of the API key that asked
/// @param model that was asked for
/// @param acceptedAtMillis milliseconds since 1970
/// @param terms an [AuditTerms] as frame 0 carries it, sealed to the audit service
public record TraceRecord(
        ResponseId response, String tenant, String key, String model, long acceptedAtMillis, byte[] terms, Body body) {
    private static final int VERSION = 1;

    public sealed interface Body {}

    /// By the worker that ended the response.
    ///
    /// @param sealedTrace a [Trace], sealed to the audit service
    public record Whole(byte[] sealedTrace) implements Body {
        @Override
        public String toString() {
            return "Whole[bytes=%d]".formatted(sealedTrace.length);
        }
    }

    /// By the owner that ended the response. It cannot read the reasoning and passes it on as the log has it.
    ///
    /// @param endedAtMillis milliseconds since 1970 by the owner's clock
    /// @param cut true when frames are missing at the end, because they did not fit
    /// @param frames the valid `FENCE` frames and the valid `DELTA` frames of the reasoning lane, in log order
    ///     and encoded, sealed as they stand there; a fence has the reasoning key, wrapped for the audit service
    public record Partial(OwnerEnd.Reason reason, long endedAtMillis, boolean cut, List<byte[]> frames)
            implements Body {
        /// Room for all frames together with the bytes that frame each; the rest of a record is small.
        public static final int FRAMES_BYTES_MAX = Topic.MESSAGE_BYTES_MAX - 256 * 1024;

        private static final int BYTES_AROUND_A_FRAME = 8;

        public Partial {
            frames = List.copyOf(frames);
        }

        /// The first of `frames` that fit a record.
        public static Partial fitting(OwnerEnd.Reason reason, long endedAtMillis, List<byte[]> frames) {
            long bytes = 0;
            int fit = 0;
            for (var frame : frames) {
                bytes += frame.length + BYTES_AROUND_A_FRAME;
                if (bytes > FRAMES_BYTES_MAX) {
                    break;
                }
                fit++;
            }
            return new Partial(reason, endedAtMillis, fit < frames.size(), frames.subList(0, fit));
        }

        @Override
        public String toString() {
            return "Partial[reason=%s, frames=%d, cut=%s]".formatted(reason, frames.size(), cut);
        }
    }

    @Override
    public String toString() {
        return "TraceRecord[response=%s, tenant=%s, body=%s]".formatted(response, tenant, body);
    }

    public byte[] encode() {
        var out = BusProto.TraceRecord.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setTenantBytes(Wire.text(tenant))
                .setKeyBytes(Wire.text(key))
                .setModelBytes(Wire.text(model))
                .setAcceptedAtMillis(acceptedAtMillis)
                .setTerms(Wire.bytes(terms));
        switch (body) {
            case Whole(byte[] trace) ->
                out.setWhole(BusProto.TraceRecord.Whole.newBuilder().setSealedTrace(Wire.bytes(trace)));
            case Partial partial -> out.setPartial(encode(partial));
        }
        return out.build().toByteArray();
    }

    private static BusProto.TraceRecord.Partial encode(Partial partial) {
        return BusProto.TraceRecord.Partial.newBuilder()
                .setEnd(Wire.parse(BusProto.OwnerEnd.parser(), new OwnerEnd(partial.reason).encode()))
                .setEndedAtMillis(partial.endedAtMillis)
                .setCut(Wire.flag(partial.cut))
                .addAllFrames(partial.frames.stream().map(Wire::bytes).toList())
                .build();
    }

    public static TraceRecord decode(byte[] bytes) {
        var in = Wire.parse(BusProto.TraceRecord.parser(), bytes, VERSION);
        var body = switch (in.getBodyCase()) {
            case WHOLE -> new Whole(in.getWhole().getSealedTrace().toByteArray());
            case PARTIAL -> partial(in.getPartial());
            case BODY_NOT_SET -> throw new MalformedMessageException("a trace record without a body");
        };
        return new TraceRecord(
                Wire.response(in.getResponse()),
                in.getTenant(),
                in.getKey(),
                in.getModel(),
                in.getAcceptedAtMillis(),
                in.getTerms().toByteArray(),
                body);
    }

    private static Partial partial(BusProto.TraceRecord.Partial in) {
        return new Partial(
                OwnerEnd.decode(in.getEnd().toByteArray()).reason(),
                in.getEndedAtMillis(),
                in.getCut() != 0,
                in.getFramesList().stream().map(ByteString::toByteArray).toList());
    }
}
