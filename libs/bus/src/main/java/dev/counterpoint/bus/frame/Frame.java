package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Unknown;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One record of the topic `frames`: something that happened to a response.
///
/// @param response whose log this belongs to
/// @param attempt which attempt speaks, or which one a `REISSUE` opens; counts from 1
/// @param nonce tells apart workers that fence the same attempt; 0 in frames of gateways
/// @param seq position among the counted frames of the attempt, from 0
/// @param message ordinal of the model's message that a `DELTA` belongs to, from 0 over the whole response; in
///     clear, so that a reader without the key knows that reasoning happens
/// @param body sealed to the lane's readers, except in `CONTROL`
/// @param unknown fields of newer versions
public record Frame(
        ResponseId response,
        int attempt,
        long nonce,
        int seq,
        Lane lane,
        FrameKind kind,
        int message,
        byte[] body,
        Unknown unknown) {
    /// Readers refuse a newer major version; within one, fields are only added.
    static final int VERSION = 1;

    private static final byte[] EMPTY = new byte[0];

    /// A frame of an owner: it decides, and has nothing sealed.
    public static Frame decision(ResponseId response, int attempt, FrameKind kind, byte[] body) {
        return new Frame(response, attempt, 0, 0, Lane.CONTROL, kind, 0, body, Unknown.NONE);
    }

    /// A sign of the holder that does not count.
    public static Frame sign(ResponseId response, int attempt, long nonce, FrameKind kind) {
        return new Frame(response, attempt, nonce, 0, Lane.CONTROL, kind, 0, EMPTY, Unknown.NONE);
    }

    /// The same frame with its body.
    public Frame withBody(byte[] filled) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, filled, unknown);
    }

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, VERSION)
                .text(2, response.toString())
                .number(3, attempt)
                .bits(4, nonce)
                .number(5, seq)
                .number(6, lane.number())
                .number(7, kind.number())
                .number(8, message)
                .bytes(9, body)
                .unknown(unknown)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no frame, or of a newer major version
    public static Frame decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        int attempt = 0;
        int seq = 0;
        int message = 0;
        long nonce = 0;
        var lane = Lane.CONTROL;
        var kind = FrameKind.UNKNOWN;
        byte[] body = EMPTY;
        @Nullable ResponseId response = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> response = ResponseId.parse(in.text()).orElse(null);
                case 3 -> attempt = in.small();
                case 4 -> nonce = in.bits();
                case 5 -> seq = in.small();
                case 6 -> lane = Lane.of(in.small());
                case 7 -> kind = FrameKind.of(in.small());
                case 8 -> message = in.small();
                case 9 -> body = in.bytes();
                default -> in.skip();
            }
        }
        if (version != VERSION || response == null) {
            throw new MalformedMessageException("not a frame of version " + VERSION);
        }
        return new Frame(response, attempt, nonce, seq, lane, kind, message, body, in.unknown());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Frame that
                && response.equals(that.response)
                && attempt == that.attempt
                && nonce == that.nonce
                && seq == that.seq
                && lane == that.lane
                && kind == that.kind
                && message == that.message
                && Arrays.equals(body, that.body)
                && unknown.equals(that.unknown);
    }

    @Override
    public int hashCode() {
        return Objects.hash(response, attempt, nonce, seq, lane, kind, message, Arrays.hashCode(body));
    }

    @Override
    public String toString() {
        return "%s %s attempt=%d nonce=%x seq=%d %s".formatted(kind, response, attempt, nonce, seq, lane);
    }
}
