package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.ProvenMessage;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.bus.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
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
/// @param format how it is written, from 1 to [#NEWEST_FORMAT]: in format 2 the id of the response is binary, the
///     record has no key, and the associated data of a body is binary too
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
        byte[] proof,
        int format) {
    /// The newest format that this version reads and writes. A frame names its format as its version; within one,
    /// fields are only added.
    public static final int NEWEST_FORMAT = 2;

    private static final byte[] EMPTY = new byte[0];
    /// Version and length of the id, with which every frame of format 2 begins.
    private static final byte[] BINARY_HEAD = {1 << 3, 2 << 1, 2 << 3 | 2, ResponseId.BYTES};

    /// A frame of format 1 that is still to be signed or tagged.
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
        this(response, attempt, nonce, seq, lane, kind, message, body, unknown, EMPTY, 1);
    }

    /// The format that a number on the bus stands for: 0 for the first, and the newest known one for any newer.
    public static int knownFormat(long number) {
        return Math.clamp(number, 1, NEWEST_FORMAT);
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
        return new Frame(response, attempt, nonce, seq, lane, kind, message, filled, unknown, EMPTY, format);
    }

    /// The same frame in another format, still to be sealed.
    public Frame in(int other) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, body, unknown, EMPTY, other);
    }

    /// The same frame with its signature or tag.
    public Frame withProof(byte[] proven) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, body, unknown, proven, format);
    }

    public byte[] encode() {
        var content = content();
        return proof.length == 0 ? content : new ProvenMessage(content, proof).encode();
    }

    /// The bytes that the proof is over: the whole frame but the proof, fields of newer versions included.
    public byte[] content() {
        return BusProto.Frame.newBuilder()
                .setVersion(format)
                .setResponse(Wire.bytes(
                        format == 1 ? response.toString().getBytes(StandardCharsets.US_ASCII) : response.bytes()))
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

    /// The record of the topic `frames` that carries it. The key repeats the id of format 1 for readers that look for
    /// one response.
    public ProducerRecord<String, byte[]> record() {
        return new ProducerRecord<>(
                Topic.FRAMES, response.partition(), format == 1 ? response.toString() : null, encode());
    }

    /// The id of the response that a record says it belongs to, as text, without reading the frame; null where it
    /// says nothing.
    public static @Nullable String responseOf(ConsumerRecord<String, byte[]> record) {
        if (record.key() != null) {
            return record.key();
        }
        var bytes = KafkaClients.body(record);
        int begins = BINARY_HEAD.length;
        return bytes.length >= begins + ResponseId.BYTES && Arrays.equals(bytes, 0, begins, BINARY_HEAD, 0, begins)
                ? ResponseId.read(bytes, begins).toString()
                : null;
    }

    /// Reads the frame of a record of the topic `frames`.
    ///
    /// @throws MalformedMessageException for a record that is no frame, or stands in another partition or under
    ///     another key than its response's
    public static Frame decode(ConsumerRecord<String, byte[]> record) {
        var frame = decode(KafkaClients.body(record));
        boolean inPlace = frame.response.partition() == record.partition()
                && (frame.format == 1 ? frame.response.toString().equals(record.key()) : record.key() == null);
        if (!inPlace) {
            throw new MalformedMessageException("a frame at a place that is not its response's");
        }
        return frame;
    }

    public static Frame decode(byte[] bytes) {
        int format = Wire.version(bytes, 1, NEWEST_FORMAT);
        var in = Wire.parse(BusProto.Frame.parser(), bytes);
        return new Frame(
                response(in.getResponse().toByteArray(), format),
                Wire.small(in.getAttempt()),
                in.getNonce(),
                Wire.small(in.getSeq()),
                Wire.constant(in.getLane(), Lane.values()),
                Wire.constant(in.getKind(), FrameKind.values(), FrameKind.UNKNOWN),
                Wire.small(in.getMessage()),
                in.getBody().toByteArray(),
                UnknownFields.of(in),
                in.getProof().toByteArray(),
                format);
    }

    private static ResponseId response(byte[] id, int format) {
        if (format == 1) {
            return Wire.response(new String(id, StandardCharsets.US_ASCII));
        }
        if (id.length != ResponseId.BYTES) {
            throw new MalformedMessageException("bytes are no id of a response");
        }
        return ResponseId.read(id, 0);
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
                && Arrays.equals(proof, that.proof)
                && format == that.format;
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
