package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.ProvenMessage;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.bus.wire.Wire;
import java.util.Arrays;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// One record of the topic `frames`: one event of a response.
///
/// @param response the response that the frame belongs to
/// @param attempt the attempt that speaks, or that a `REISSUE` opens; counts from 1
/// @param nonce tells apart workers that fence the same attempt; 0 in frames of gateways
/// @param seq position among the counted frames of the attempt, from 0
/// @param message ordinal of the model's message that a `DELTA` belongs to, from 0 over the whole response; in
///     clear, so that a reader without the key knows that reasoning happens
/// @param body sealed to the lane's readers, except in `CONTROL`
/// @param unknown fields of newer versions
/// @param proof the signature of a decision, or the tag of a frame of the attempt's holder, over [#content]; empty
///     until it is signed
public record Frame(
        ResponseId response,
        int attempt,
        long nonce,
        int seq,
        Lane lane,
        FrameKind kind,
        int message,
        byte[] body,
        UnknownFields unknown,
        byte[] proof) {
    /// Readers refuse a newer major version; within one, fields are only added.
    static final int VERSION = 1;

    private static final byte[] EMPTY = new byte[0];

    /// A frame that is still to be signed or tagged.
    public Frame(
            ResponseId response,
            int attempt,
            long nonce,
            int seq,
            Lane lane,
            FrameKind kind,
            int message,
            byte[] body,
            UnknownFields unknown) {
        this(response, attempt, nonce, seq, lane, kind, message, body, unknown, EMPTY);
    }

    /// A frame of an owner: a decision, in clear.
    public static Frame decision(ResponseId response, int attempt, FrameKind kind, byte[] body) {
        return new Frame(response, attempt, 0, 0, Lane.CONTROL, kind, 0, body, UnknownFields.NONE);
    }

    /// A sign of the holder that does not count.
    public static Frame sign(ResponseId response, int attempt, long nonce, FrameKind kind) {
        return new Frame(response, attempt, nonce, 0, Lane.CONTROL, kind, 0, EMPTY, UnknownFields.NONE);
    }

    /// The same frame with its body, still to be signed or tagged.
    public Frame withBody(byte[] filled) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, filled, unknown);
    }

    /// The same frame with its signature or tag.
    public Frame withProof(byte[] proven) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, body, unknown, proven);
    }

    public byte[] encode() {
        var content = content();
        return proof.length == 0 ? content : new ProvenMessage(content, proof).encode();
    }

    /// The bytes that the proof is over: the whole frame but the proof, fields of newer versions included.
    public byte[] content() {
        return BusProto.Frame.newBuilder()
                .setVersion(VERSION)
                .setResponseBytes(Wire.text(response.toString()))
                .setAttempt(attempt)
                .setNonce(nonce)
                .setSeq(seq)
                .setLane(lane.number())
                .setKind(kind.number())
                .setMessage(message)
                .setBody(Wire.bytes(body))
                .setUnknownFields(unknown.set())
                .build()
                .toByteArray();
    }

    /// Reads the frame of a record of the topic `frames`.
    ///
    /// @throws MalformedMessageException for a record that is no frame, or stands in another partition or under
    ///     another key than its response's
    public static Frame decode(ConsumerRecord<String, byte[]> record) {
        var frame = decode(KafkaClients.body(record));
        boolean inPlace = frame.response.partition() == record.partition()
                && frame.response.toString().equals(record.key());
        if (!inPlace) {
            throw new MalformedMessageException("a frame at a place that is not its response's");
        }
        return frame;
    }

    public static Frame decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Frame.parser(), bytes, VERSION);
        return new Frame(
                Wire.response(in.getResponse()),
                Wire.small(in.getAttempt()),
                in.getNonce(),
                Wire.small(in.getSeq()),
                Wire.constant(in.getLane(), Lane.values()),
                Wire.constant(in.getKind(), FrameKind.values(), FrameKind.UNKNOWN),
                Wire.small(in.getMessage()),
                in.getBody().toByteArray(),
                UnknownFields.of(in),
                in.getProof().toByteArray());
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
                && unknown.equals(that.unknown)
                && Arrays.equals(proof, that.proof);
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
