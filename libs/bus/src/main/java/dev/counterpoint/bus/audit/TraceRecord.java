package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One record of the topic `audit`, keyed by the response's id: the raw reasoning of one opted-in response, sealed to
/// the audit service. The worker appends a [Whole] before its `end`; when no worker ends the response, its owner
/// appends a [Partial]. Both may come, and each more than once: the audit service keeps the first.
///
/// @param response whose record this is
/// @param tenant bound into everything sealed below
/// @param key id of the API key that asked
/// @param model that was asked for
/// @param acceptedAtMillis milliseconds since 1970
/// @param terms an [AuditTerms] as frame 0 carries it, sealed to the audit service
public record TraceRecord(
        ResponseId response, String tenant, String key, String model, long acceptedAtMillis, byte[] terms, Body body) {
    private static final int VERSION = 1;

    /// What is kept of the reasoning.
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
    /// @param cut whether frames are missing at the end, because they did not fit
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
        var out = new Fields.Writer()
                .number(1, VERSION)
                .text(2, response.toString())
                .text(3, tenant)
                .text(4, key)
                .text(5, model)
                .number(6, acceptedAtMillis)
                .bytes(7, terms);
        switch (body) {
            case Whole whole -> out.message(8, inner -> inner.bytes(1, whole.sealedTrace));
            case Partial partial -> out.message(9, inner -> encode(inner, partial));
        }
        return out.toBytes();
    }

    private static void encode(Fields.Writer out, Partial partial) {
        out.bytes(1, new OwnerEnd(partial.reason).encode())
                .number(2, partial.endedAtMillis)
                .flag(3, partial.cut);
        partial.frames.forEach(frame -> out.bytes(4, frame));
    }

    /// @throws MalformedMessageException for bytes that are no such record, or of a newer major version
    public static TraceRecord decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        @Nullable ResponseId response = null;
        var tenant = "";
        var key = "";
        var model = "";
        long acceptedAt = 0;
        byte[] terms = new byte[0];
        @Nullable Body body = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> response = ResponseId.parse(in.text()).orElse(null);
                case 3 -> tenant = in.text();
                case 4 -> key = in.text();
                case 5 -> model = in.text();
                case 6 -> acceptedAt = in.number();
                case 7 -> terms = in.bytes();
                case 8 -> body = decodeWhole(in.bytes());
                case 9 -> body = decodePartial(in.bytes());
                default -> in.skip();
            }
        }
        if (version != VERSION || response == null || body == null) {
            throw new MalformedMessageException("not a trace record of version " + VERSION);
        }
        return new TraceRecord(response, tenant, key, model, acceptedAt, terms, body);
    }

    private static Whole decodeWhole(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        byte[] sealed = new byte[0];
        for (int field = in.next(); field != 0; field = in.next()) {
            if (field == 1) {
                sealed = in.bytes();
            } else {
                in.skip();
            }
        }
        return new Whole(sealed);
    }

    private static Partial decodePartial(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var reason = OwnerEnd.Reason.ATTEMPTS_EXHAUSTED;
        long endedAt = 0;
        boolean cut = false;
        var frames = new ArrayList<byte[]>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> reason = OwnerEnd.decode(in.bytes()).reason();
                case 2 -> endedAt = in.number();
                case 3 -> cut = in.flag();
                case 4 -> frames.add(in.bytes());
                default -> in.skip();
            }
        }
        return new Partial(reason, endedAt, cut, frames);
    }
}
